import CGst
import Dispatch
import Playback
import Synchronization

/// One read, which is settled once: by the end of the stream, an error, the time-out or the caller.
final class URIReading: CallbackContext, Sendable {
  typealias Outcome = Result<URIReader.Content?, PlayerError>

  private struct State {
    var bytes: [UInt8] = []
    var mediaType: String?
    var uri: String
    var wasAsked = false
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
    /// The address of the pipeline, with one reference; 0 if there is none.
    var pipeline: UInt = 0
    var timer: (any DispatchSourceTimer)?
  }

  private let state: Mutex<State>
  private let byteLimit: Int
  private let isWanted: @Sendable (String?) -> Bool
  /// A queue with its own thread, on which GStreamer may block.
  private let queue = DispatchQueue(label: "org.playerd.reading", qos: .utility)

  init(uri: String, byteLimit: Int, isWanted: @escaping @Sendable (String?) -> Bool) {
    state = Mutex(State(uri: uri))
    self.byteLimit = byteLimit
    self.isWanted = isWanted
  }

  func begin(within timeout: Duration, _ continuation: CheckedContinuation<Outcome, Never>) {
    let early = state.withLock { state in
      guard state.outcome == nil else { return state.outcome }
      state.continuation = continuation
      state.timer = makeTimer(timeout)
      return nil
    }
    if let early {
      continuation.resume(returning: early)
    } else {
      queue.async { self.start() }
    }
  }

  private func makeTimer(_ timeout: Duration) -> any DispatchSourceTimer {
    // The start may hang, and the time-out must not wait for it.
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "org.playerd.reading.watchdog"))
    timer.schedule(deadline: .now() + .milliseconds(Int(min(max(timeout, .zero), .seconds(3600)) / .milliseconds(1))))
    timer.setEventHandler { [weak self] in
      self?.settle(.failure(PlayerError(code: .networkTimeout, message: "the server does not respond in time")))
    }
    timer.activate()
    return timer
  }

  /// Settles the read with the first outcome, and releases the pipeline on the queue, which may block.
  func settle(_ outcome: Outcome) {
    let ended = state.withLock { state in
      guard state.outcome == nil else { return State?.none }
      let ended = state
      state.outcome = outcome
      state.continuation = nil
      state.timer = nil
      state.pipeline = 0
      state.bytes = []
      return ended
    }
    guard let ended else { return }
    ended.timer?.cancel()
    let pipeline = ended.pipeline
    if pipeline != 0 { queue.async { GStreamer.dismantle(pipelineAt: pipeline) } }
    ended.continuation?.resume(returning: outcome)
  }

  // MARK: Pipeline, on the queue

  private func start() {
    let uri = state.withLock { $0.uri }
    do throws(PlayerError) {
      try GStreamer.initialize()
      if let error = MediaURI.failure(of: uri) { throw error }
      guard let pipeline = try unsafe make(uri) else { return }
      let address = UInt(bitPattern: pipeline)
      let isWanted = state.withLock { state in
        if state.outcome == nil { state.pipeline = address }
        return state.outcome == nil
      }
      guard isWanted else { return GStreamer.dismantle(pipelineAt: address) }
      unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
    } catch {
      settle(.failure(error))
    }
  }

  /// Makes a pipeline of the source and a `fakesink`, with a probe between them; returns nil or throws if that fails.
  private func make(_ uri: String) throws(PlayerError) -> UnsafeMutablePointer<GstElement>? {
    var error: UnsafeMutablePointer<GError>?
    guard let source = unsafe gst_element_make_from_uri(GST_URI_SRC, uri, nil, &error) else {
      let text = unsafe GLib.take(error)
      throw PlayerError(code: .unsupportedScheme, message: text?.message ?? "no GStreamer element reads this URI")
    }
    guard let pipeline = unsafe gst_pipeline_new(nil), let sink = unsafe gst_element_factory_make("fakesink", nil),
      let bin = unsafe cgst_bin(pipeline)
    else {
      unsafe gst_object_unref(source)
      throw PlayerError(code: .unknown, message: "GStreamer's core elements are not installed")
    }
    unsafe gst_bin_add(bin, source)
    unsafe gst_bin_add(bin, sink)
    guard unsafe gst_element_link(source, sink) != 0, let pad = unsafe gst_element_get_static_pad(sink, "sink"),
      let bus = unsafe gst_element_get_bus(pipeline)
    else {
      unsafe gst_object_unref(pipeline)
      throw PlayerError(code: .unsupportedScheme, message: "the source of this URI provides no bytes")
    }
    let kinds = GstPadProbeType(GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
    unsafe gst_pad_add_probe(pad, kinds, bytesCame, callbackData, releaseCallbackData)
    unsafe gst_bus_set_sync_handler(bus, messageCame, callbackData, releaseCallbackData)
    unsafe gst_object_unref(pad)
    unsafe gst_object_unref(bus)
    return unsafe pipeline
  }

  // MARK: Events, on GStreamer's threads

  /// Stores the headers of a response; after redirects, those of the last one.
  func headers(_ headers: UnsafePointer<GstStructure>) {
    let answer = unsafe HTTPHeaders(headers)
    state.withLock { state in
      state.mediaType = answer.mediaType ?? state.mediaType
      state.uri = answer.uri ?? state.uri
    }
  }

  /// Stores bytes; returns false if no more bytes are wanted.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let type: String?? = state.withLock { state in
      defer { state.wasAsked = true }
      return state.wasAsked ? .none : .some(state.mediaType)
    }
    if let type, !isWanted(type) {
      settle(.success(nil))
      return false
    }
    let isTooLong = state.withLock { state in
      guard state.outcome == nil else { return false }
      guard bytes.count <= byteLimit - state.bytes.count else { return true }
      unsafe state.bytes.append(contentsOf: bytes)
      return false
    }
    if isTooLong {
      settle(.failure(PlayerError(code: .unknown, message: "the content is larger than \(byteLimit) bytes")))
    }
    return !isTooLong
  }

  func ended() {
    let content = state.withLock { state in
      URIReader.Content(uri: state.uri, mediaType: state.mediaType, bytes: state.bytes)
    }
    settle(.success(content))
  }

  func failed(_ failure: Failure) {
    let error = failure.playerError
    guard error.code == .networkCut || error.code == .unknown else { return settle(.failure(error)) }
    // If the source does not report the reason, a probe of the server determines it.
    let uri = state.withLock { $0.uri }
    DispatchQueue(label: "org.playerd.reading.probe", qos: .utility).async {
      self.settle(.failure(NetworkProbe.diagnose(uri) ?? error))
    }
  }
}

/// The headers of a response, as reported by souphttpsrc.
private struct HTTPHeaders {
  var mediaType: String?
  var uri: String?

  init(_ structure: UnsafePointer<GstStructure>) {
    uri =
      unsafe GLib.borrow(gst_structure_get_string(structure, "redirection-uri"))
      ?? GLib.borrow(gst_structure_get_string(structure, "uri"))
    guard let value = unsafe gst_structure_get_value(structure, "response-headers"),
      unsafe cgst_value_holds(value, gst_structure_get_type()) != 0, let headers = unsafe gst_value_get_structure(value)
    else { return }
    for name in ["Content-Type", "content-type"] where mediaType == nil {
      mediaType = unsafe GLib.borrow(gst_structure_get_string(headers, name))
    }
  }
}

// MARK: Callbacks, on GStreamer's threads

private func bytesCame(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let info = unsafe info, let reading = unsafe URIReading.borrow(data) else { return GST_PAD_PROBE_OK }
  if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue == 0 {
    guard let event = unsafe gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
    if let structure = unsafe gst_event_get_structure(event),
      unsafe gst_structure_has_name(structure, "http-headers") != 0
    {
      unsafe reading.headers(structure)
    }
    return GST_PAD_PROBE_OK
  }
  guard let buffer = unsafe gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
  var map = unsafe GstMapInfo()
  guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return GST_PAD_PROBE_OK }
  _ = unsafe reading.take(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
  unsafe gst_buffer_unmap(buffer, &map)
  return GST_PAD_PROBE_OK
}

private func messageCame(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let reading = unsafe URIReading.borrow(data) else { return GST_BUS_PASS }
  if let failure = unsafe Failure(message) {
    reading.failed(failure)
  } else if unsafe cgst_message_type(message) == GST_MESSAGE_EOS {
    reading.ended()
  }
  // This bus has no reader, so the message is dropped here.
  unsafe gst_message_unref(message)
  return GST_BUS_DROP
}
