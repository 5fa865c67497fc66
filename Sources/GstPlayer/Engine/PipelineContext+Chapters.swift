import CGst
import Dispatch
import Playback

/// Chapters that GStreamer posts, and those that it does not read.
extension PipelineContext {
  /// What a message's table of contents says, nil when that is known already.
  func chapters(of message: UnsafeMutablePointer<GstMessage>, from stream: StreamToken) -> [Chapter]? {
    var toc: OpaquePointer?
    unsafe gst_message_parse_toc(message, &toc, nil)
    guard let toc = unsafe toc else { return nil }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(toc)) }
    return unsafe lastTableOfContents.replace(with: toc, of: stream) ? Chapter.list(of: toc) : nil
  }

  /// Tells the chapters of a stream that GStreamer does not; nobody waits for the disk.
  func lookForChapters(_ uri: String, of stream: StreamToken) {
    guard LocalFile.mayHideChapters(uri) else { return }
    let deliver = deliver
    DispatchQueue(label: "org.playerd.chapters", qos: .utility).async {
      let chapters = LocalFile.chapters(uri)
      if !chapters.isEmpty { deliver(.event(.chapters(stream, chapters))) }
    }
  }
}
