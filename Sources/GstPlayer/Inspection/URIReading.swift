import CGst
import Dispatch
import EngineProcess
import Playback
import PlayerClock
import Synchronization

/// One read; it is settled once, by the end of the stream, an error, the time-out or the caller.
final class URIReading: Sendable {
  typealias Outcome = Result<MediaContent?, PlayerError>

  private struct State {
    var bytes: [UInt8] = []
    var mediaType: String?
    var uri: String
    var isDecided = false
    /// The HTTP source that a player may continue, and the probe that blocks its first data.
    var source: (element: ObjectReference, probe: gulong)?
    /// The response that was offered to a player.
    var response: BegunResponse?
    /// Whether the response is packed; libsoup unpacks it.
    var isPacked = false
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
  private let headers: HTTPRequestHeaders?
  private let isContinued: Bool
  private let isWanted: URIReader.Decision
  /// A queue with its own thread, on which GStreamer may block.
  private let queue = DispatchQueue(label: "org.playerd.reading", qos: .utility)
  /// The start may hang, and the time-out must not wait for it.
  private let watchdog = WakeTimer(queue: DispatchQueue(label: "org.playerd.reading.watchdog"))

  init(
    uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, isContinued: Bool = false,
    isWanted: @escaping URIReader.Decision
  ) {
    state = Mutex(State(uri: uri))
    requested = uri
    self.byteLimit = byteLimit
    self.isContinued = isContinued
    self.headers = headers
    self.isWanted = isWanted
  }

  func begin(within timeout: Duration, _ continuation: CheckedContinuation<Outcome, Never>) {
    let early = state.withLock { state in
      guard state.outcome == nil else { return state.outcome }
      state.continuation = continuation
      watchdog.set(.now + timeout) { [weak self] in
        let error = PlayerError(code: .networkTimeout, message: "the server does not respond in time")
        self?.settle(.failure(error), offers: true)
      }
      return nil
    }
    if let early {
      continuation.resume(returning: early)
    } else {
      queue.async { self.start() }
    }
  }

  /// Settles the read with the first outcome; offers its response to a player, or else releases the pipeline on the
  /// queue, which may block.
  func settle(_ outcome: Outcome, offers: Bool = false) {
    typealias Parts = (CheckedContinuation<Outcome, Never>?, pipeline: ObjectReference?, response: BegunResponse?)
    let (continuation, pipeline, response) = state.withLock { state -> Parts in
      defer {
        state.outcome = state.outcome ?? outcome
        (state.continuation, state.pipeline, state.source, state.bytes) = (nil, nil, nil, [])
      }
      if offers, state.outcome == nil, isContinued, let pipeline = state.pipeline, let source = state.source {
        state.response = BegunResponse(of: requested, pipeline, source: source.element, probe: source.probe)
        return (state.continuation, nil, state.response)
      }
      return (state.continuation, state.pipeline, nil)
    }
    watchdog.set(nil) {}
    if let response {
      response.offer()
    } else if let pipeline {
      queue.async { GStreamer.dismantle(pipeline) }
    }
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
    unsafe RequestHeaders(uri, headers)?.follow(source)
    unsafe gst_bin_add(bin, source)
    unsafe gst_bin_add(bin, sink)
    guard unsafe gst_element_link(source, sink) != 0, let bus = unsafe gst_element_get_bus(pipeline.pointer()) else {
      throw PlayerError(code: .unsupportedScheme, message: "the source of this URI provides no bytes")
    }
    if unsafe GLib.borrow(cgst_factory_name(source)) == "souphttpsrc" { unsafe block(source) }
    unsafe PadProbe.add(to: "sink", of: sink, PadProbe.data) { _, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        unsafe GLib.bytes(of: buffer).map { self.take($0) }
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

  /// Blocks the data of a source until it is known whether it is wanted.
  private func block(_ source: UnsafeMutablePointer<GstElement>) {
    let probe = unsafe GLib.withPad("src", of: source) { pad in
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BLOCK, GST_PAD_PROBE_TYPE_BUFFER]) { _, info in
        let beginning = unsafe cgst_probe_buffer(info).flatMap { unsafe GLib.bytes(of: $0) } ?? []
        return self.isReading(from: beginning) ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
      }
    }
    let element = unsafe ObjectReference(source)
    state.withLock { $0.source = probe.map { (element, $0) } }
  }

  // MARK: Events, on GStreamer's threads

  /// Decides with the first bytes whether the content is read; otherwise the source stays blocked.
  private func isReading(from beginning: [UInt8]) -> Bool {
    guard !state.withLock({ $0.outcome != nil }) else { return false }
    if decide(beginning) { return true }
    settle(.success(nil), offers: true)
    return false
  }

  /// Whether the caller accepts the content; the caller decides once.
  private func decide(_ beginning: @autoclosure () -> [UInt8]) -> Bool {
    let type: String?? = state.withLock { state in
      defer { state.isDecided = true }
      return state.isDecided ? .none : .some(state.mediaType)
    }
    return type.map { isWanted($0, beginning()) } ?? true
  }

  /// Whether a packed response has arrived.
  ///
  /// `souphttpsrc` compares the length of the packed content with the length of the unpacked content. If the unpacked content is
  /// shorter, it requests a rest, which does not exist.
  private var hasPackedResponse: Bool { state.withLock { $0.isPacked && !$0.bytes.isEmpty } }

  /// Stores the headers of a response; after redirects, the last response's headers.
  private func received(_ response: ResponseHeaders) {
    if hasPackedResponse { return ended() }
    state.withLock { state in
      state.isPacked = response.fields?["content-encoding"] != nil
      state.mediaType = response.fields?["content-type"] ?? state.mediaType
      state.uri = response.redirection ?? response.uri ?? state.uri
    }
  }

  /// Stores bytes, unless no more bytes are wanted.
  private func take(_ bytes: [UInt8]) {
    guard decide(bytes) else { return settle(.success(nil)) }
    let isTooLong = state.withLock { state in
      guard state.outcome == nil else { return false }
      guard bytes.count <= byteLimit - state.bytes.count else { return true }
      state.bytes += bytes
      return false
    }
    if isTooLong {
      settle(.failure(PlayerError(code: .unknown, message: "the content is larger than \(byteLimit) bytes")))
    }
  }

  private func ended() {
    state.withLock { $0.response }?.withdraw()
    guard !state.withLock({ $0.hasFailed }) else { return }
    // Empty content may be unwanted too; the read is then settled.
    take([])
    let content = state.withLock { MediaContent(uri: $0.uri, mediaType: $0.mediaType, bytes: $0.bytes) }
    settle(.success(content))
  }

  private func failed(_ failure: Failure) {
    state.withLock { $0.response }?.withdraw()
    if hasPackedResponse { return ended() }
    let error = failure.playerError
    guard error.code == .networkCut || error.code == .unknown else { return settle(.failure(error)) }
    // If the source does not report the reason, a probe of the server determines it. An end of the stream that follows is not the
    // end of the content.
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
