import CGst
import Playback
import Synchronization
import TextCoding

/// Makes mixers show the title of the audible item for the stream of PulseAudio's sink.
///
/// The sink takes a title from each TAG event that reaches it. No tags of items reach an output. A TAG event with the title
/// of the audible item is handled by the sink's class: the pad would block the caller as long as the streaming thread waits
/// in the sink. The sink keeps the artist of the event before, so an item without an artist that
/// follows one with an artist has “unknown artist”.
///
/// `pipewiresink` reads its properties only when it opens. It would show the title of an earlier item, and shows none.
///
/// <https://gstreamer.freedesktop.org/documentation/pulseaudio/pulsesink.html>
final class StreamTitle: Sendable {
  private struct State {
    var title: String?
    var artist: String?
    /// Whether the server has an artist for the stream; it can be replaced but not removed.
    var hasArtist = false
  }

  /// The maximum length of a title, in characters.
  private static let limit = 200

  private let state = Mutex(State())

  /// Sets the description of the audible item.
  func set(_ description: StreamDescription) {
    let title = Self.shown(description.title) ?? Self.name(of: description.uri)
    state.withLock { ($0.title, $0.artist) = (title, Self.shown(description.artist)) }
  }

  /// Shows the title for the present stream of an output; call it again when the output has opened another stream.
  ///
  /// A closed output does not have a stream, for example after its server has ended.
  func show(on output: UnsafeMutablePointer<GstElement>, isNewStream: Bool) {
    let (title, artist) = state.withLock { state in
      if isNewStream { state.hasArtist = false }
      let artist = state.artist ?? (state.hasArtist ? "unknown artist" : nil)
      state.hasArtist = artist != nil
      return (state.title, artist)
    }
    guard let title else { return }
    unsafe GLib.with(taking: cgst_element_of_factory(output, "pulsesink")) {
      unsafe cgst_handle_title($0, title, artist)
    }
  }

  private static func shown(_ text: String?) -> String? {
    guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
    return String(text.prefix(limit))
  }

  /// Returns the last part of the path of a URI, decoded; nil if there is none.
  static func name(of uri: String) -> String? {
    let path = uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let authority = path.firstRange(of: "://".utf8)?.upperBound ?? path.startIndex
    guard let slash = path[authority...].lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return shown(String(decoding: PercentEncoding.decode(path[path.index(after: slash)...]), as: UTF8.self))
  }
}
