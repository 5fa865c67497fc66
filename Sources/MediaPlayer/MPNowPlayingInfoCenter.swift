public import AVFoundation
import Synchronization

/// The item that plays, as clients of MPRIS show it.
///
/// The first info makes the program an MPRIS player on the session bus. Changes within one turn of the main queue are
/// published together, at its end, so a program has to run its main queue: see `AVPlayer`. Without a session bus, the program
/// plays, and nothing is published. Its members may be used on any thread.
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfocenter>
public final class MPNowPlayingInfoCenter: NSObject, Sendable {
  /// The values that a program has set.
  struct Content: @unchecked Sendable {  // the values of the dictionary are only read
    var info: [String: Any]?
    var playbackState = MPNowPlayingPlaybackState.unknown
    /// A number that differs for each info of the service.
    var revision: UInt64 = 0
    /// The time at which the info was set last, on the clock of the service.
    var time = Duration.zero
  }

  private let state = Mutex(Content())
  private let service: NowPlayingService

  init(_ service: NowPlayingService) { self.service = service }

  /// Returns the center of the program.
  public class func `default`() -> MPNowPlayingInfoCenter { NowPlayingService.shared.centers.info }

  /// The description of the item; nil or empty for none.
  ///
  /// The elapsed time in it is that at the moment of the call, and advances with the rate. An info without an elapsed time
  /// continues the time of the same item, and starts another item at 0.
  public var nowPlayingInfo: [String: Any]? {
    get { content.info }
    set {
      let new = Content(info: newValue, revision: service.nextRevision(), time: service.now())
      state.withLock { ($0.info, $0.revision, $0.time) = (new.info, new.revision, new.time) }
      service.changed()
    }
  }

  /// The state of playback; `unknown` by default.
  ///
  /// If it is `unknown`, the program plays while one of its instances of `AVPlayer` or `AVAudioPlayer` does, unless the rate in
  /// the info is 0. A player whose last item has ended does not play. If none has ever played, the rate decides alone.
  public var playbackState: MPNowPlayingPlaybackState {
    get { content.playbackState }
    set {
      state.withLock { $0.playbackState = newValue }
      service.changed()
    }
  }

  var content: Content { state.withLock { $0 } }
}

extension MPNowPlayingInfoCenter {
  /// The identity of the program for clients of MPRIS; an addition to Apple's interface.
  public struct Identity: Hashable, Sendable {
    /// The display name, which also determines the name on the bus: `My Player` is `org.mpris.MediaPlayer2.my_player`.
    public var name: String
    /// The name of the desktop file without `.desktop`; nil for none.
    public var desktopEntry: String?

    /// Makes an identity.
    public init(name: String, desktopEntry: String?) { (self.name, self.desktopEntry) = (name, desktopEntry) }
  }

  /// The identity of the program; an addition to Apple's interface.
  ///
  /// By default the name and the identifier of the main bundle, or the name of the executable. Set it before the
  /// first info and the first handler; later changes are ignored.
  public var identity: Identity {
    get { service.identity }
    set { service.identity = newValue }
  }
}
