import Playback

/// The pipelines beside that of the loaded stream.
struct OtherPipelines {
  /// The pipeline of a stream that is open for a crossfade.
  var prepared: Entry?
  /// The pipeline of the stream that fades out.
  var outgoing: Entry?
  /// The pipelines that are being closed.
  var released: [PipelineContext] = []

  /// A pipeline and its stream.
  struct Entry {
    let stream: StreamToken
    let context: PipelineContext
    /// Whether the stream was skipped: nothing is reported of it.
    var isSkipped = false
  }

  /// The contexts of the open pipelines.
  var all: [PipelineContext] { [prepared, outgoing].compactMap { $0?.context } }

  /// Removes the open pipelines, and returns them.
  mutating func removeAll() -> [Entry] {
    defer { (prepared, outgoing) = (nil, nil) }
    return [prepared, outgoing].compactMap(\.self)
  }

  /// Removes the pipeline of a context, and returns it; nil if it is neither prepared nor fades out.
  mutating func remove(_ context: PipelineContext) -> (entry: Entry, isPrepared: Bool)? {
    if let entry = prepared, entry.context === context {
      prepared = nil
      return (entry, true)
    }
    guard let entry = outgoing, entry.context === context else { return nil }
    outgoing = nil
    return (entry, false)
  }
}
