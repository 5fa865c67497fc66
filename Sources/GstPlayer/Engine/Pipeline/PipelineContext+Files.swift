import CGst
import Dispatch
import Playback

/// Handles the chapters that GStreamer posts, and reads the chapters and lyrics that GStreamer does not read.
extension PipelineContext {
  /// Returns the chapters of a TOC message; nil if they are already known.
  func chapters(of message: UnsafeMutablePointer<GstMessage>, from stream: StreamToken) -> [Chapter]? {
    var toc: OpaquePointer?
    unsafe gst_message_parse_toc(message, &toc, nil)
    guard let toc = unsafe toc else { return nil }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(toc)) }
    let chapters = unsafe lastTableOfContents.value(of: toc, number: stream.number) { unsafe Chapter.list(of: toc) }
    return chapters.isNew ? chapters.value : nil
  }

  /// Reads the chapters and lyrics in a local file that GStreamer does not read, and the lyrics beside it, and delivers
  /// them; the disk access runs in the background.
  func readFiles(of uri: String, for stream: StreamToken) {
    guard Player.Item.isLocal(uri) else { return }
    let deliver = deliver
    DispatchQueue(label: "org.playerd.files", qos: .utility).async {
      let chapters = LocalFile.mayHideChapters(uri) ? LocalFile.chapters(uri) : []
      if !chapters.isEmpty { deliver(.event(.chapters(stream, chapters))) }
      let beside = LocalFile.lyrics(beside: uri) { deliver(.event(.leftOut(stream, $0))) }
      for (lyrics, scope) in [(LocalFile.apeLyrics(uri), TagScope.stream), (beside, .companionFile)]
      where lyrics != nil {
        var tags = MediaMetadata()
        tags.lyrics = lyrics
        deliver(.event(.tags(stream, tags, about: scope)))
      }
    }
  }
}
