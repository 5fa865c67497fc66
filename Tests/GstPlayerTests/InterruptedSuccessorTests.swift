import CGst
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of gapless successors that are still prerolling when another item is opened.
@Suite("Interrupted successors", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct InterruptedSuccessorTests {
  /// An event of a pipeline.
  private enum Report: Equatable, Sendable {
    case prerolled(StreamToken)
    case buffering(StreamToken, Int)
    case startMissed(StreamToken)
    case ended(StreamToken)
  }

  /// Runs a pipeline without a player that continues with one successor.
  private final class BarePipeline: Sendable {
    let reports = EventLog<Report>()
    /// The streams whose successors were requested.
    let requests = EventLog<StreamToken>()
    let context: PipelineContext

    init(successor: NextStream?) {
      let (reports, requests) = (reports, requests)
      context = PipelineContext(
        Player.Configuration(), executor: PipelineExecutor(label: "pipeline under test"), loudness: nil,
        nextStream: { stream in
          requests.append(stream)
          return stream.number == 1 ? successor : nil
        })
      var configuration = Player.Configuration(audioSink: "fakesink sync=true")
      configuration.pipelineTimeout = .milliseconds(300)
      context.pipeline.set(
        Pipeline(
          configuration: configuration, sinkMemory: AudioSink.Memory(), context: context,
          report: { event in
            switch event {
            case .settled(let stream, _): reports.append(.prerolled(stream))
            case .buffering(let stream, let percent, _): reports.append(.buffering(stream, percent))
            case .ended(let stream): reports.append(.ended(stream))
            case .startMissed(let stream, _): reports.append(.startMissed(stream))
            default: break
            }
          }))
    }

    /// Runs `work` on the executor of the pipeline, and returns when `work` is done.
    func perform(_ work: @escaping @Sendable (isolated Pipeline) -> Void) async {
      await withCheckedContinuation { continuation in
        context.executor.queue.async { [context] in
          context.pipeline.value?.assumeIsolated(work)
          continuation.resume()
        }
      }
    }
  }

  private func withPipeline(_ successor: NextStream? = nil, _ body: (BarePipeline) async throws -> Void)
    async throws
  {
    let pipeline = BarePipeline(successor: successor)
    await pipeline.perform { $0.open() }
    do {
      try await body(pipeline)
    } catch {
      await pipeline.perform { $0.close() }
      throw error
    }
    await pipeline.perform { $0.close() }
  }

  private let first = StreamToken(number: 1)
  private let second = StreamToken(number: 2)

  /// A file that takes seconds to preroll, because the demuxer searches gigabytes of zeros for its last page.
  private struct SlowFile {
    let uri: String
    private let opened: AsyncStream<Void>

    init(in directory: TemporaryDirectory) async throws {
      let whole = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .ogg))))
      let path = try directory.write(Array(whole.prefix(8_000)), to: "slow.ogg")
      try #require(unsafe truncate(path, 8 << 30) == 0)
      uri = fileURI(path)
      let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      try #require(descriptor >= 0)
      try #require(unsafe inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
      let (opened, continuation) = AsyncStream.makeStream(of: Void.self)
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "opened"))
      source.setEventHandler {
        continuation.finish()
        source.cancel()
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      self.opened = opened
    }

    func isOpened() async throws {
      let opened = opened
      try await deadline(20, "the file is opened") { for await _ in opened {} }
    }
  }

  @Test("Unloading removes a successor whose change to PAUSED was aborted")
  func abortedDecoder() async throws {
    let short = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let slow = try await SlowFile(in: directory)
      try await withPipeline(NextStream(uri: slow.uri, stream: second)) { pipeline in
        await pipeline.perform { [first] in $0.load(short, first) }
        try await slow.isOpened()
        // GStreamer aborts the change itself when its threads are slow: after one of 500 skips on a busy machine.
        unsafe pipeline.context.decoder.with { decoder in
          unsafe g_rec_mutex_lock(&decoder.pointee.state_lock)
          unsafe gst_element_abort_state(decoder)
          unsafe g_rec_mutex_unlock(&decoder.pointee.state_lock)
        }
        #expect(pipeline.context.decoderKeepsSource)
        await pipeline.perform { $0.unloadPrevious() }
        #expect(!pipeline.context.decoderKeepsSource)
      }
    }
  }

  /// Emits the signal of a decoder whose stream has been read to its end.
  private func emitDrained(by decoder: UnsafeMutablePointer<GstElement>) {
    var value = GValue()
    unsafe g_value_init(&value, gst_element_get_type())
    unsafe g_value_set_object(&value, decoder)
    unsafe g_signal_emitv(&value, g_signal_lookup("drained", g_type_from_name("GstURIDecodeBin")), 0, nil)
    unsafe g_value_unset(&value)
  }

  @Test("A stream that ends while its pipeline is shut down requests no successor")
  func drainedDuringShutdown() async throws {
    // The output prerolls before the file has been read to its end.
    let uri = fileURI(try await Media.sine(seconds: 20))
    try await withPipeline { pipeline in
      await pipeline.perform { [first] in $0.load(uri, first) }
      try await pipeline.reports.first("the item prerolls", within: 20) { [first] in $0 == .prerolled(first) }
      pipeline.context.groupSwitch.refuse()
      unsafe pipeline.context.decoder.with { unsafe emitDrained(by: $0) }
      #expect(pipeline.requests.count == 0)
      pipeline.context.groupSwitch.allow()
      unsafe pipeline.context.decoder.with { unsafe emitDrained(by: $0) }
      #expect(pipeline.requests.elements == [first])
      await pipeline.perform { $0.unloadPrevious() }
      #expect(!pipeline.context.groupSwitch.isAllowed)
    }
  }

  @Test("A shutdown waits for a switch of the source group")
  func shutdownWaits() async throws {
    let groupSwitch = GroupSwitch()
    let steps = EventLog<String>()
    #expect(groupSwitch.begin())
    DispatchQueue(label: "shutdown").async {
      groupSwitch.refuse()
      steps.append("shutdown")
    }
    while groupSwitch.begin() {
      groupSwitch.end()
      await Task.yield()
    }
    steps.append("end of the switch")
    groupSwitch.end()
    try await steps.first("the shutdown", from: 1) { _ in true }
    #expect(steps.elements == ["end of the switch", "shutdown"])
  }

  /// Posts buffering level 0 from an element outside any pipeline, then level 50 from the pipeline itself.
  private func postBuffering(around decoder: UnsafeMutablePointer<GstElement>) {
    let decoder = unsafe UnsafeMutableRawPointer(decoder).assumingMemoryBound(to: GstObject.self)
    guard let playbin = unsafe gst_object_get_parent(decoder),
      let bus = unsafe gst_element_get_bus(cgst_element(playbin)),
      let queue = unsafe gst_element_factory_make("queue2", nil)
    else { return }
    let orphan = unsafe gst_object_ref_sink(queue).assumingMemoryBound(to: GstObject.self)
    unsafe gst_bus_post(bus, gst_message_new_buffering(orphan, 0))
    unsafe gst_bus_post(bus, gst_message_new_buffering(playbin, 50))
    unsafe gst_object_unref(orphan)
    unsafe gst_object_unref(bus)
    unsafe gst_object_unref(playbin)
  }

  @Test("A message from an element that has left the pipeline belongs to no stream")
  func orphanedMessage() async throws {
    let uri = fileURI(try await Media.sine(seconds: 1))
    try await withPipeline { pipeline in
      await pipeline.perform { [first] in $0.load(uri, first) }
      try await pipeline.reports.first("the item prerolls", within: 20) { [first] in $0 == .prerolled(first) }
      unsafe pipeline.context.decoder.with { unsafe postBuffering(around: $0) }
      let level = try await pipeline.reports.first("a buffering level", within: 20) {
        if case .buffering = $0 { true } else { false }
      }
      #expect(level.element == .buffering(first, 50))
    }
  }

  @Test("A start whose state change never completes is reported, and one that completes is not")
  func startMissed() async throws {
    let uri = fileURI(try await Media.sine(seconds: 1))
    try await withPipeline { pipeline in
      await pipeline.perform { [first] in $0.load(uri, first) }
      try await pipeline.reports.first("the item prerolls", within: 20) { [first] in $0 == .prerolled(first) }
      // Puts the output into the state in which a failing successor leaves it: waiting for a preroll that has already
      // passed.
      await pipeline.perform { pipeline in
        _ = unsafe pipeline.context.output.with { unsafe gst_element_lost_state($0) }
        pipeline.perform(.setPlaying(true))
      }
      try await pipeline.reports.first("the missed start", within: 20) { [first] in $0 == .startMissed(first) }
      await pipeline.perform { [second] pipeline in
        pipeline.unloadPrevious()
        pipeline.load(uri, second)
      }
      try await pipeline.reports.first("the item prerolls again", within: 20) { [second] in $0 == .prerolled(second) }
      await pipeline.perform { $0.perform(.setPlaying(true)) }
      try await pipeline.reports.first("the end", within: 20) { [second] in $0 == .ended(second) }
      #expect(!pipeline.reports.elements.contains(.startMissed(second)))
    }
  }

  @Test("A late report of an earlier start does not end the wait for a newer one")
  func lateStart() async throws {
    let uri = fileURI(try await Media.sine(seconds: 1))
    try await withPipeline { pipeline in
      await pipeline.perform { [first] in $0.load(uri, first) }
      try await pipeline.reports.first("the item prerolls", within: 20) { [first] in $0 == .prerolled(first) }
      await pipeline.perform { [first] pipeline in
        _ = unsafe pipeline.context.output.with { unsafe gst_element_lost_state($0) }
        pipeline.perform(.setPlaying(true))
        // The message of a start before a pause, which waited for the executor.
        pipeline.handle(.playing(first))
      }
      try await pipeline.reports.first("the missed start", within: 20) { [first] in $0 == .startMissed(first) }
    }
  }

  @Test("Skipping a stream that is being opened plays the selected item")
  func stream() async throws {
    let (short, last) = (try await Media.sine(seconds: 0.3), try await Media.sine(seconds: 1))
    try await withHTTPServer { server in
      let uri = server.script("/a.flac", try .file(last).stalling(at: 8_000))
      try await withPlayer([fileURI(short), uri, fileURI(last)]) { harness in
        try await harness.ready()
        try await server.events.first("the stream stalls") { $0 == .stalled(path: "/a.flac") }
        harness.player.play(item: harness.items[2].id)
        try await harness.event(.itemDidPlayToEnd(harness.items[2]))
        #expect(harness.failures.isEmpty)
      }
    }
  }
}
