import CGst
import Dispatch
import Playback
import Synchronization

/// One read, which is settled once: by the end of the stream, an error, the time-out or the caller.
final class URIReading: Sendable {
  typealias Outcome = Result<MediaContent?, PlayerError>

  private struct State {
    var bytes: [UInt8] = []
    var mediaType: String?
    var uri: String
    var wasAsked = false
    /// Whether the source has failed; the end that follows is none.
    var hasFailed = false
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
    var pipeline: ObjectReference?
  }

  private let state: Mutex<State>
  /// The URI before redirects.
  private let requested: String
  private let byteLimit: Int
  private let isWanted: @Sendable (String?) -> Bool
  /// A queue with its own thread, on which GStreamer may block.
  private let queue = DispatchQueue(label: "org.playerd.reading", qos: .utility)
  /// The start may hang, and the time-out must not wait for it.
  private let watchdog = WakeTimer(queue: DispatchQueue(label: "org.playerd.reading.watchdog"))

  init(uri: String, byteLimit: Int, isWanted: @escaping @Sendable (String?) -> Bool) {
    state = Mutex(State(uri: uri))
    requested = uri
    self.byteLimit = byteLimit
    self.isWanted = isWanted
  }

  func begin(within timeout: Duration, _ continuation: CheckedContinuation<Outcome, Never>) {
    let early = state.withLock { state in
      guard state.outcome == nil else { return state.outcome }
      state.continuation = continuation
      watchdog.set(.now + timeout) { [weak self] in
        self?.settle(.failure(PlayerError(code: .networkTimeout, message: "the server does not respond in time")))
      }
      return nil
    }
    if let early {
      continuation.resume(returning: early)
    } else {
      queue.async { self.start() }
    }
  }

  /// Settles the read with the first outcome, and releases the pipeline on the queue, which may block.
  func settle(_ outcome: Outcome) {
    let (continuation, pipeline) = state.withLock { state in
      defer {
        state.outcome = state.outcome ?? outcome
        (state.continuation, state.pipeline, state.bytes) = (nil, nil, [])
      }
      return (state.continuation, state.pipeline)
    }
    watchdog.set(nil) {}
    if let pipeline { queue.async { GStreamer.dismantle(pipeline) } }
    continuation?.resume(returning: outcome)
  }

  // MARK: Pipeline, on the queue

  private func start() {
    let uri = state.withLock { $0.uri }
    do throws(PlayerError) {
      try GStreamer.initialize()
      if let error = MediaURI.failure(of: uri) { throw error }
      let pipeline = try make(uri)
      let isWanted = state.withLock { state in
        if state.outcome == nil { state.pipeline = pipeline }
        return state.outcome == nil
      }
      guard isWanted else { return GStreamer.dismantle(pipeline) }
      unsafe gst_element_set_state(pipeline.pointer(), GST_STATE_PLAYING)
    } catch {
      settle(.failure(error))
    }
  }

  /// Makes a pipeline of the source and a `fakesink`, with a probe between them.
  private func make(_ uri: String) throws(PlayerError) -> ObjectReference {
    var error: UnsafeMutablePointer<GError>?
    guard let source = unsafe gst_element_make_from_uri(GST_URI_SRC, uri, nil, &error) else {
      let text = unsafe GLib.take(error)
      throw PlayerError(code: .unsupportedScheme, message: text?.message ?? "no GStreamer element reads this URI")
    }
    guard let pipeline = unsafe ObjectReference(taking: gst_pipeline_new(nil)),
      let bin = unsafe cgst_bin(pipeline.object), let sink = unsafe gst_element_factory_make("fakesink", nil)
    else {
      unsafe gst_object_unref(source)
      throw PlayerError(code: .unknown, message: "GStreamer's core elements are not installed")
    }
    unsafe HTTPSession.separate(source)
    unsafe gst_bin_add(bin, source)
    unsafe gst_bin_add(bin, sink)
    guard unsafe gst_element_link(source, sink) != 0, let bus = unsafe gst_element_get_bus(pipeline.pointer()) else {
      throw PlayerError(code: .unsupportedScheme, message: "the source of this URI provides no bytes")
    }
    unsafe PadProbe.add(to: "sink", of: sink, PadProbe.data) { _, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        unsafe GLib.withBytes(of: buffer) { unsafe self.take($0) }
      } else if let response = unsafe cgst_probe_event(info).flatMap({ unsafe ResponseHeaders($0) }) {
        self.received(response)
      }
      return GST_PAD_PROBE_OK
    }
    unsafe BusHandler.install(on: bus) { message in
      if let failure = unsafe Failure(message) {
        self.failed(failure)
      } else if unsafe message.pointee.type == GST_MESSAGE_EOS {
        self.ended()
      }
      return nil
    }
    unsafe gst_object_unref(bus)
    return pipeline
  }

  // MARK: Events, on GStreamer's threads

  /// Stores the headers of a response; after redirects, those of the last one.
  private func received(_ response: ResponseHeaders) {
    state.withLock { state in
      state.mediaType = response.fields?["content-type"] ?? state.mediaType
      state.uri = response.redirection ?? response.uri ?? state.uri
    }
  }

  /// Stores bytes, unless no more bytes are wanted.
  private func take(_ bytes: UnsafeRawBufferPointer) {
    let type: String?? = state.withLock { state in
      defer { state.wasAsked = true }
      return state.wasAsked ? .none : .some(state.mediaType)
    }
    if let type, !isWanted(type) { return settle(.success(nil)) }
    let isTooLong = state.withLock { state in
      guard state.outcome == nil else { return false }
      guard bytes.count <= byteLimit - state.bytes.count else { return true }
      unsafe state.bytes.append(contentsOf: bytes)
      return false
    }
    if isTooLong {
      settle(.failure(PlayerError(code: .unknown, message: "the content is larger than \(byteLimit) bytes")))
    }
  }

  private func ended() {
    guard !state.withLock({ $0.hasFailed }) else { return }
    // Empty content may be unwanted too; the read is then settled.
    unsafe take(UnsafeRawBufferPointer(start: nil, count: 0))
    let content = state.withLock { MediaContent(uri: $0.uri, mediaType: $0.mediaType, bytes: $0.bytes) }
    settle(.success(content))
  }

  private func failed(_ failure: Failure) {
    let error = failure.playerError
    guard error.code == .networkCut || error.code == .unknown else { return settle(.failure(error)) }
    // If the source does not report the reason, a probe of the server determines it. An end that follows is not that of the content.
    let uri = state.withLock { state in
      state.hasFailed = true
      return state.uri
    }
    if let reason = TLSFailure.take(requested) { return settle(.failure(reason)) }
    DispatchQueue(label: "org.playerd.reading.probe", qos: .utility).async {
      self.settle(.failure(NetworkProbe.diagnose(uri) ?? error))
    }
  }
}
