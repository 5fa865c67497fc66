import CGst
import Playback
import Synchronization

/// One run of GStreamer's discoverer, on the calling thread.
///
/// <https://gstreamer.freedesktop.org/documentation/pbutils/gstdiscoverer.html>
enum Discovery {
  /// Runs the discoverer and blocks until it is done; `watch` can stop it.
  ///
  /// GStreamer must be initialized.
  static func describe(
    _ uri: String, within timeout: Duration, watch: DiscoveryWatch, headers: RequestHeaders?
  ) throws(PlayerError) -> MediaDescription {
    if let error = MediaURI.failure(of: uri) { throw error }
    // The inspection has its own, precise time-out. The discoverer's must be between 1 s and 1 h, and is only a
    // fallback.
    let limit = min(max(timeout, .zero) + .seconds(1), .seconds(3600))
    var error: UnsafeMutablePointer<GError>?
    guard let discoverer = unsafe gst_discoverer_new(GstClockTime(limit.wholeNanoseconds), &error) else {
      let text = unsafe GLib.take(error)
      throw PlayerError(code: .unknown, message: "cannot create the discoverer: \(text?.message ?? "unknown reason")")
    }
    defer { unsafe g_object_unref(discoverer) }
    unsafe Signal.sourceSetup(of: discoverer) { source in
      unsafe watch.begin(with: source)
      unsafe prepare(source, headers)
    }
    let info = unsafe gst_discoverer_discover_uri(discoverer, uri, &error)
    watch.end()
    let reason = unsafe error.map { unsafe Failure(taking: $0) }
    guard let info = unsafe info else {
      throw reason?.playerError ?? PlayerError(code: .unknown, message: "no information available")
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(info)) }
    let result = unsafe gst_discoverer_info_get_result(info)
    if let error = watch.error ?? failure(result, reason) { throw explained(error, uri) }
    var description = unsafe MediaDescription(info)
    if description.chapters.isEmpty, LocalFile.mayHideChapters(uri) {
      description.chapters = Chapter.ordered(LocalFile.chapters(uri), end: description.duration)
    }
    if let lyrics = LocalFile.lyrics(beside: uri) { description.metadata.lyrics = lyrics }
    guard !description.audioTracks.isEmpty else {
      if unsafe isWebPage(info) { throw PlayerError.webPage }
      throw unsafe missing(info) ?? PlayerError(missing: watch.missing)
    }
    return description
  }

  /// Prepares the pipeline of a source, which has not been started.
  private static func prepare(_ source: UnsafeMutablePointer<GstElement>, _ headers: RequestHeaders?) {
    // Added before the handler of later elements below.
    unsafe HTTPSession.separate(source)
    guard let parent = unsafe GLib.parent(of: source) else { return }
    defer { unsafe gst_object_unref(parent) }
    if let decoder = unsafe cgst_element(parent), unsafe GLib.borrow(cgst_factory_name(decoder)) == "uridecodebin" {
      unsafe AudioOnlyDecoding.restrict(decoder)
      unsafe DecodingFaults.correct(in: decoder)
      unsafe AdaptiveStream.fixVariant(of: decoder)
    }
    guard let headers else { return }
    unsafe headers.follow(source)
    // The demuxer of an adaptive stream adds more sources to the decoder.
    unsafe Signal.deepElement("deep-element-added", of: parent) { element, _ in
      if unsafe GLib.borrow(cgst_factory_name(element)) == "souphttpsrc" { unsafe headers.follow(element) }
    }
  }

  private static func isWebPage(_ info: OpaquePointer) -> Bool {
    guard let stream = unsafe gst_discoverer_info_get_stream_info(info) else { return false }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(stream)) }
    guard let caps = unsafe gst_discoverer_stream_info_get_caps(stream) else { return false }
    defer { unsafe cgst_mini_object_unref(caps) }
    return unsafe AudioOnlyDecoding.isHTML(caps)
  }

  /// Returns the error for a discoverer's result if no element posted an error.
  private static func failure(_ result: GstDiscovererResult, _ reason: Failure?) -> PlayerError? {
    switch result {
    case GST_DISCOVERER_OK, GST_DISCOVERER_MISSING_PLUGINS: nil
    case GST_DISCOVERER_TIMEOUT: PlayerError(code: .loadTimeout, message: "timed out loading")
    case GST_DISCOVERER_URI_INVALID:
      PlayerError(code: .notFound, message: "not found", detail: reason?.summary ?? "invalid URI")
    default: reason?.playerError ?? PlayerError(code: .unknown, message: "the media cannot be opened")
    }
  }

  /// Returns the error for a missing plug-in if there was no source element that could post it.
  ///
  /// Each detail is `gstreamer|1.0|program|gopher protocol source|urisource-gopher`.
  private static func missing(_ info: OpaquePointer) -> PlayerError? {
    guard let details = unsafe gst_discoverer_info_get_missing_elements_installer_details(info),
      let detail = unsafe GLib.borrow(details[0])
    else { return nil }
    let parts = detail.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count >= 5 else {
      return PlayerError(code: .codecMissing, message: "a plug-in is not installed", detail: detail)
    }
    let code: PlayerError.Code = parts[4].hasPrefix("urisource-") ? .unsupportedScheme : .codecMissing
    return PlayerError(code: code, message: "not installed: \(parts[3])", detail: detail)
  }

  /// Replaces an error without a clear cause by the result of a diagnosis, if there is one.
  private static func explained(_ error: PlayerError, _ uri: String) -> PlayerError {
    if error.code == .corrupt { return LocalFile.undecodableFLAC(uri) ?? error }
    guard error.code == .networkCut else { return error }
    return NetworkProbe.diagnose(uri) ?? error
  }
}

/// The observer of the messages of an inspection's pipeline; it can also stop the discoverer.
final class DiscoveryWatch: Sendable {
  private struct State {
    var failure: Failure?
    /// The descriptions of the missing plug-ins, such as `Dolby TrueHD decoder`.
    var missing: [String] = []
    /// The address of the pipeline's bus, with one reference; 0 before the source exists and after the end.
    var bus: UInt = 0
    var isStopped = false
  }

  private let state = Mutex(State())

  /// The error that playback would report; nil if no posted message prevents playback.
  var error: PlayerError? { state.withLock { $0.failure?.playerError(missing: $0.missing) } }

  /// The descriptions of the missing plug-ins.
  var missing: [String] { state.withLock { $0.missing } }

  /// Records the first failure, which is the cause; later failures are consequences and are ignored.
  func note(_ failure: Failure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  func noteMissing(_ description: String) {
    state.withLock { if !$0.missing.contains(description) { $0.missing.append(description) } }
  }

  /// Installs the message handler; called when the pipeline has its source.
  func begin(with source: UnsafeMutablePointer<GstElement>) {
    guard let bus = unsafe bus(of: source) else { return }
    let address = UInt(bitPattern: bus)
    let (isFirst, isStopped) = state.withLock { state in
      defer { if state.bus == 0 { state.bus = address } }
      return (state.bus == 0, state.isStopped)
    }
    guard isFirst else { return unsafe gst_object_unref(bus) }
    unsafe gst_bus_set_sync_handler(bus, recordFailure, CallbackValue.data(self), releaseCallbackData)
    if isStopped { unsafe post(to: bus) }
  }

  /// Releases the bus; called when the discoverer is done.
  func end() {
    let address = state.withLock { state in
      defer { state.bus = 0 }
      return state.bus
    }
    guard let bus = unsafe UnsafeMutablePointer<GstBus>(bitPattern: address) else { return }
    unsafe gst_bus_set_sync_handler(bus, nil, nil, nil)
    unsafe gst_object_unref(bus)
  }

  /// Ends the discoverer's wait, now or as soon as the pipeline has a source.
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

  /// Posts an error, because the discoverer stops at an error.
  private func post(to bus: UnsafeMutablePointer<GstBus>) {
    guard let error = unsafe g_error_new_literal(cgst_core_error(), gint(GST_CORE_ERROR_FAILED.rawValue), "stopped")
    else { return }
    defer { unsafe g_error_free(error) }
    unsafe gst_bus_post(bus, gst_message_new_error(nil, error, nil))
  }

  /// Returns the bus of the pipeline that contains an element, with a reference for the caller.
  private func bus(of element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstBus>? {
    let top = unsafe GLib.top(of: element)
    defer { unsafe gst_object_unref(top) }
    guard let pipeline = unsafe cgst_element(top) else { return nil }
    return unsafe gst_element_get_bus(pipeline)
  }
}

/// Records information that the discoverer drops: the debug text, which separates the causes, and the names of missing
/// plug-ins.
private func recordFailure(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let watch = unsafe CallbackValue<DiscoveryWatch>.value(in: data) else {
    return GST_BUS_PASS
  }
  if let failure = unsafe Failure(message) {
    watch.note(failure)
  } else if let plugin = unsafe MissingPlugin(message) {
    watch.noteMissing(plugin.name)
  }
  return GST_BUS_PASS
}
