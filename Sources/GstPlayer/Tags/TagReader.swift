import CGst
import Dispatch
import Playback

/// Reads the tags and chapters of streams, and reports those that are new.
final class TagReader: Sendable {
  private let lastTableOfContents = LastReading<[Chapter]>()
  private let lastArtwork = LastReading<MediaMetadata.Artwork?>()
  private let lastID3Frames = LastReading<ID3Frames>()
  private let lastTags = LastTags()
  private let report: @Sendable (StreamEvent) -> Void

  init(report: @escaping @Sendable (StreamEvent) -> Void) { self.report = report }

  /// Forgets the tags of a stream that begins again, so that the same ones are reported again.
  func forgetTags() { lastTags.forget() }

  // MARK: On any thread

  /// Reports the tags of a stream, by default about their own scope, on the thread that posts or pushes them.
  func read(_ tags: TagList, of stream: StreamToken, about scope: TagScope? = nil) {
    let isGlobal = unsafe gst_tag_list_get_scope(tags.list) == GST_TAG_SCOPE_GLOBAL
    let scope = scope ?? (isGlobal ? .item : .stream)
    let frames = tags.id3Frames(lastID3Frames)
    let hasNewComments = lastTags.replace(commentCount: tags.commentCount, of: stream)
    let chapters = frames.map { $0.isNew ? $0.value.chapters : [] } ?? (hasNewComments ? tags.commentChapters : [])
    if !chapters.isEmpty { report(.chapters(chapters)) }
    let metadata = MediaMetadata(tags, last: lastArtwork, frames: frames?.value)
    if lastTags.replace(with: metadata, of: stream, about: scope) {
      report(.tags(metadata, about: scope))
      for text in lastTags.add(excess: tags.excess, of: stream) { report(.leftOut(text)) }
    }
  }

  /// Reports the chapters of a TOC message, unless they are already known.
  func readTableOfContents(_ message: UnsafeMutablePointer<GstMessage>, of stream: StreamToken) {
    var toc: OpaquePointer?
    unsafe gst_message_parse_toc(message, &toc, nil)
    guard let toc = unsafe toc else { return }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(toc)) }
    let chapters = unsafe lastTableOfContents.value(of: toc, number: stream.number) { unsafe Chapter.list(of: toc) }
    if chapters.isNew { report(.chapters(chapters.value)) }
  }

  /// Reads the chapters and lyrics in a local file that GStreamer does not read, and the lyrics beside it, and reports
  /// them; the disk access runs in the background.
  func readFiles(of uri: String) {
    guard Player.Item.isLocal(uri) else { return }
    let report = report
    DispatchQueue(label: "org.playerd.files", qos: .utility).async {
      let chapters = LocalFile.mayHideChapters(uri) ? LocalFile.chapters(uri) : []
      if !chapters.isEmpty { report(.chapters(chapters)) }
      let beside = LocalFile.lyrics(beside: uri) { report(.leftOut($0)) }
      for (lyrics, scope) in [(LocalFile.apeLyrics(uri), TagScope.stream), (beside, .companionFile)]
      where lyrics != nil {
        var tags = MediaMetadata()
        tags.lyrics = lyrics
        report(.tags(tags, about: scope))
      }
    }
  }
}
