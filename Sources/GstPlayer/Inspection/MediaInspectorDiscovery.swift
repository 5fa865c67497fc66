import CGst
import Playback
import Synchronization

/// One run of GStreamer's discoverer, on the thread that calls.
///
/// <https://gstreamer.freedesktop.org/documentation/pbutils/gstdiscoverer.html>
enum Discovery {
  /// Blocks until the discoverer is done; `watch` can end that.
  static func describe(
    _ uri: String, within timeout: Duration, watch: DiscoveryWatch
  ) throws(PlayerError) -> MediaDescription {
    if let error = MediaURI.failure(of: uri) { throw error }
    try GStreamer.initialize()
    // The time-out is the inspection's, and precise; this one, which must be 1 s to 1 h, ends what nobody else does.
    let limit = min(max(timeout, .zero) + .seconds(1), .seconds(3600))
    var error: UnsafeMutablePointer<GError>?
    guard let discoverer = unsafe gst_discoverer_new(GstClockTime(limit.wholeNanoseconds), &error) else {
      let text = unsafe GLib.take(error)
      throw PlayerError(.unknown, "nothing can be inspected: \(text?.message ?? "unknown reason")")
    }
    defer { unsafe g_object_unref(discoverer) }
    unsafe cgst_connect_discoverer_source(
      discoverer, "source-setup", sourceAppeared, watch.callbackData, releaseClosureData)
    let info = unsafe gst_discoverer_discover_uri(discoverer, uri, &error)
    watch.end()
    let reason = unsafe error.map { unsafe Failure(taking: $0) }
    guard let info = unsafe info else { throw reason?.playerError ?? PlayerError(.unknown, "nothing is known of it") }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(info)) }
    let result = unsafe gst_discoverer_info_get_result(info)
    if let error = watch.error ?? failure(result, reason) { throw explained(error, uri) }
    var description = unsafe MediaDescription(info)
    if description.chapters.isEmpty, LocalFile.mayHideChapters(uri) {
      description.chapters = Chapter.ordered(LocalFile.chapters(uri), end: description.duration)
    }
    guard !description.audioTracks.isEmpty else {
      if unsafe isWebPage(info) { throw PlayerError.webPage }
      throw unsafe missing(info) ?? PlayerError(missing: watch.missing)
    }
    return description
  }

  private static func isWebPage(_ info: OpaquePointer) -> Bool {
    guard let stream = unsafe gst_discoverer_info_get_stream_info(info) else { return false }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(stream)) }
    guard let caps = unsafe gst_discoverer_stream_info_get_caps(stream) else { return false }
    defer { unsafe cgst_mini_object_unref(caps) }
    return unsafe AudioOnlyDecoding.isHTML(caps)
  }

  /// What the discoverer found wrong where no element posted anything.
  private static func failure(_ result: GstDiscovererResult, _ reason: Failure?) -> PlayerError? {
    switch result {
    case GST_DISCOVERER_OK, GST_DISCOVERER_MISSING_PLUGINS: nil
    case GST_DISCOVERER_TIMEOUT: PlayerError(.loadTimeout, "nothing came of it")
    case GST_DISCOVERER_URI_INVALID: PlayerError(.notFound, "not found", detail: reason?.summary ?? "no URI")
    default: reason?.playerError ?? PlayerError(.unknown, "it cannot be opened")
    }
  }

  /// What is missing where there was not even a source to post it.
  ///
  /// Each detail is `gstreamer|1.0|program|gopher protocol source|urisource-gopher`.
  private static func missing(_ info: OpaquePointer) -> PlayerError? {
    guard let details = unsafe gst_discoverer_info_get_missing_elements_installer_details(info),
      let detail = unsafe GLib.borrow(details[0])
    else { return nil }
    let parts = detail.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count >= 5 else { return PlayerError(.codecMissing, "a plug-in is not installed", detail: detail) }
    let code: PlayerError.Code = parts[4].hasPrefix("urisource-") ? .unsupportedScheme : .codecMissing
    return PlayerError(code, "not installed: \(parts[3])", detail: detail)
  }

  /// Where the source only says that nothing came, the reason is looked for.
  private static func explained(_ error: PlayerError, _ uri: String) -> PlayerError {
    if error.code == .corrupt { return LocalFile.undecodableFLAC(uri) ?? error }
    guard error.code == .networkCut else { return error }
    return NetworkProbe.diagnose(uri) ?? error
  }
}

/// What an inspection's pipeline posts, and the way to end it from outside.
final class DiscoveryWatch: CallbackContext, Sendable {
  private struct State {
    var failure: Failure?
    /// What is missing, each as `Dolby TrueHD decoder`.
    var missing: [String] = []
    /// The address of the pipeline's bus, to which we hold a reference; 0 before the source and after the end.
    var bus: UInt = 0
    var isStopped = false
  }

  private let state = Mutex(State())

  /// The error that playback would give; nil when nothing that was posted stands in its way.
  var error: PlayerError? { state.withLock { $0.failure?.playerError(missing: $0.missing) } }

  /// The names of the plug-ins that are missing.
  var missing: [String] { state.withLock { $0.missing } }

  /// The first failure is the cause; what follows are consequences.
  func note(_ failure: Failure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  func noteMissing(_ description: String) {
    state.withLock { if !$0.missing.contains(description) { $0.missing.append(description) } }
  }

  /// The pipeline has its source: listens to all that is posted from here on.
  func begin(with source: UnsafeMutablePointer<GstElement>) {
    guard let bus = unsafe bus(of: source) else { return }
    let address = UInt(bitPattern: bus)
    let (isFirst, isStopped) = state.withLock { state in
      defer { if state.bus == 0 { state.bus = address } }
      return (state.bus == 0, state.isStopped)
    }
    guard isFirst else { return unsafe gst_object_unref(bus) }
    unsafe gst_bus_set_sync_handler(bus, noteWhatFails, callbackData, releaseCallbackData)
    if isStopped { unsafe post(to: bus) }
  }

  /// The discoverer is done; the bus is let go.
  func end() {
    let address = state.withLock { state in
      defer { state.bus = 0 }
      return state.bus
    }
    guard let bus = unsafe UnsafeMutablePointer<GstBus>(bitPattern: address) else { return }
    unsafe gst_bus_set_sync_handler(bus, nil, nil, nil)
    unsafe gst_object_unref(bus)
  }

  /// Ends the discoverer's wait, now or as soon as it has a source.
  func stop() {
    let address = state.withLock { state in
      state.isStopped = true
      if let bus = unsafe UnsafeMutablePointer<GstBus>(bitPattern: state.bus) { unsafe gst_object_ref(bus) }
      return state.bus
    }
    guard let bus = unsafe UnsafeMutablePointer<GstBus>(bitPattern: address) else { return }
    unsafe post(to: bus)
    unsafe gst_object_unref(bus)
  }

  /// An error is what the discoverer ends for.
  private func post(to bus: UnsafeMutablePointer<GstBus>) {
    guard let error = unsafe g_error_new_literal(cgst_core_error(), gint(GST_CORE_ERROR_FAILED.rawValue), "stopped")
    else { return }
    defer { unsafe g_error_free(error) }
    unsafe gst_bus_post(bus, gst_message_new_error(nil, error, nil))
  }

  /// A reference to the bus of the pipeline around an element.
  private func bus(of element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstBus>? {
    var top = unsafe gst_object_ref(element).assumingMemoryBound(to: GstObject.self)
    while let parent = unsafe gst_object_get_parent(top) {
      unsafe gst_object_unref(top)
      unsafe top = parent
    }
    defer { unsafe gst_object_unref(top) }
    guard let pipeline = unsafe cgst_element(top) else { return nil }
    return unsafe gst_element_get_bus(pipeline)
  }
}

// MARK: Callbacks, on GStreamer's threads

/// `source-setup`: the first that is seen of a discoverer's pipeline, before anything in it can fail.
///
/// <https://gstreamer.freedesktop.org/documentation/pbutils/gstdiscoverer.html#GstDiscoverer::source-setup>
private func sourceAppeared(
  _ discoverer: UnsafeMutablePointer<GstDiscoverer>?, _ source: UnsafeMutablePointer<GstElement>?,
  _ data: UnsafeMutableRawPointer?
) {
  guard let source = unsafe source else { return }
  unsafe DiscoveryWatch.borrow(data)?.begin(with: source)
  guard
    let parent = unsafe gst_object_get_parent(UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstObject.self))
  else { return }
  defer { unsafe gst_object_unref(parent) }
  if let decoder = unsafe cgst_element(parent), unsafe GLib.borrow(cgst_factory_name(decoder)) == "uridecodebin" {
    unsafe AudioOnlyDecoding.restrict(decoder)
    unsafe DecodingFaults.correct(in: decoder)
    unsafe AdaptiveStream.fixVariant(of: decoder)
  }
}

/// Keeps what the discoverer does not: the debug text, which tells causes apart, and the names of missing plug-ins.
private func noteWhatFails(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let watch = unsafe DiscoveryWatch.borrow(data) else { return GST_BUS_PASS }
  if let failure = unsafe Failure(message) {
    watch.note(failure)
  } else if let plugin = unsafe MissingPlugin(message) {
    watch.noteMissing(plugin.name)
  }
  return GST_BUS_PASS
}
