import CGst
import Playback
import Synchronization

/// Runs GStreamer's discoverer once, on the calling thread.
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
    // Many files of a list may be missing, so none of them costs a pipeline.
    if LocalFile.isMissing(uri) { throw PlayerError(code: .notFound, message: "not found") }
    // The inspection has its own, precise time-out. The discoverer's must be between 1 s and 1 h, and is only a
    // fallback.
    let limit = min(max(timeout, .zero) + .seconds(1), .seconds(3600))
    var error: UnsafeMutablePointer<GError>?
    guard let discoverer = unsafe gst_discoverer_new(GstClockTime(limit.wholeNanoseconds), &error) else {
      let text = unsafe GLib.take(error)
      throw PlayerError(code: .unknown, message: "cannot create the discoverer: \(text?.message ?? "unknown reason")")
    }
    defer { unsafe g_object_unref(discoverer) }
    let budget = watch.makeBudget()
    // Emitted before any element of the pipeline can fail.
    // <https://gstreamer.freedesktop.org/documentation/pbutils/gstdiscoverer.html#GstDiscoverer::source-setup>
    unsafe Signal.emitted("source-setup", by: discoverer, argument: 1) { source in
      unsafe watch.begin(with: source)
      unsafe prepare(source, budget, headers)
    }
    let info = unsafe gst_discoverer_discover_uri(discoverer, uri, &error)
    defer { if budget.isHeavy { cgst_trim_memory() } }
    watch.end()
    let reason = unsafe error.map { unsafe Failure(taking: $0) }
    guard let info = unsafe info else {
      throw reason?.playerError ?? PlayerError(code: .unknown, message: "no information available")
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(info)) }
    let result = unsafe gst_discoverer_info_get_result(info)
    if let error = watch.error ?? failure(result, reason, limit) { throw explained(error, uri) }
    var description = unsafe MediaDescription(info)
    if description.chapters.isEmpty, LocalFile.mayHideChapters(uri) {
      description.chapters = Chapter.ordered(LocalFile.chapters(uri), end: description.duration)
    }
    description.metadata.lyrics =
      LocalFile.lyrics(beside: uri) ?? description.metadata.lyrics ?? LocalFile.apeLyrics(uri)
    guard !description.audioTracks.isEmpty else {
      if unsafe isWebPage(info) { throw PlayerError.webPage }
      throw unsafe missing(info) ?? PlayerError(missing: watch.missing)
    }
    return description
  }

  /// Prepares the pipeline of a source that has not been started.
  private static func prepare(
    _ source: UnsafeMutablePointer<GstElement>, _ budget: LoadBudget, _ headers: RequestHeaders?
  ) {
    // Added before the handler of later elements below.
    unsafe HTTPSession.separate(source)
    guard let parent = unsafe GLib.parent(of: source) else { return }
    defer { unsafe gst_object_unref(parent) }
    if let decoder = unsafe cgst_element(parent), unsafe GLib.borrow(cgst_factory_name(decoder)) == "uridecodebin" {
      unsafe budget.begin(decoder)
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
  private static func failure(_ result: GstDiscovererResult, _ reason: Failure?, _ limit: Duration) -> PlayerError? {
    switch result {
    case GST_DISCOVERER_OK, GST_DISCOVERER_MISSING_PLUGINS: nil
    case GST_DISCOVERER_TIMEOUT: PlayerError(code: .loadTimeout, message: "timed out loading after \(limit)")
    case GST_DISCOVERER_URI_INVALID:
      PlayerError(code: .notFound, message: "not found", detail: reason?.summary ?? "invalid URI")
    default: reason?.playerError ?? PlayerError(code: .unknown, message: "the media cannot be opened")
    }
  }

  /// Returns the error for a missing plug-in, if no source element could post the error.
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
    return TLSFailure.take(uri) ?? NetworkProbe.diagnose(uri) ?? error
  }
}

/// Observes the messages of an inspection's pipeline, and can stop the discoverer.
final class DiscoveryWatch: Sendable {
  private struct State {
    var failure: Failure?
    /// The limit that the media exceeds.
    var excess: PlayerError?
    /// The descriptions of the missing plug-ins, such as `Dolby TrueHD decoder`.
    var missing: [String] = []
    /// The bus of the pipeline; nil before the source exists and after the end.
    var bus: ObjectReference?
    var isStopped = false
  }

  private let state = Mutex(State())

  /// The error that playback would report; nil if no posted message prevents playback.
  var error: PlayerError? { state.withLock { $0.excess ?? $0.failure?.playerError(missing: $0.missing) } }

  /// Makes the budget of the media; an excess stops the discoverer.
  func makeBudget() -> LoadBudget {
    LoadBudget { error in
      self.state.withLock { $0.excess = error }
      self.stop()
    }
  }

  /// The descriptions of the missing plug-ins.
  var missing: [String] { state.withLock { $0.missing } }

  /// Installs the message handler; called when the pipeline has its source.
  func begin(with source: UnsafeMutablePointer<GstElement>) {
    let top = unsafe GLib.top(of: source)
    defer { unsafe gst_object_unref(top) }
    guard let bus = unsafe cgst_element(top).flatMap({ unsafe ObjectReference(taking: gst_element_get_bus($0)) }) else {
      return
    }
    let (isFirst, isStopped) = state.withLock { state in
      defer { state.bus = state.bus ?? bus }
      return (state.bus == nil, state.isStopped)
    }
    guard isFirst else { return }
    let call: GstBusSyncHandler = { _, message, data in
      if let message = unsafe message { unsafe CallbackValue<DiscoveryWatch>.value(in: data)?.record(message) }
      return GST_BUS_PASS
    }
    unsafe gst_bus_set_sync_handler(bus.pointer(), call, CallbackValue.data(self), releaseCallbackData)
    if isStopped { post(to: bus) }
  }

  /// Releases the bus; called when the discoverer is done.
  func end() {
    if let bus = state.withLock({ $0.bus.take() }) { unsafe gst_bus_set_sync_handler(bus.pointer(), nil, nil, nil) }
  }

  /// Ends the discoverer's wait, now or as soon as the pipeline has a source.
  func stop() {
    let bus = state.withLock { state in
      state.isStopped = true
      return state.bus
    }
    if let bus { post(to: bus) }
  }

  /// Records information that the discoverer drops: the debug text, which separates the causes, and the names of missing
  /// plug-ins.
  ///
  /// The first failure is the cause; later failures are consequences and are ignored.
  private func record(_ message: UnsafeMutablePointer<GstMessage>) {
    if let failure = unsafe Failure(message) {
      state.withLock { $0.failure = $0.failure ?? failure }
    } else if let name = unsafe MissingPlugin(message)?.name {
      state.withLock { if !$0.missing.contains(name) { $0.missing.append(name) } }
    }
  }

  /// Posts an error, because the discoverer stops at an error.
  private func post(to bus: ObjectReference) {
    let code = gint(GST_CORE_ERROR_FAILED.rawValue)
    guard let error = unsafe g_error_new_literal(gst_core_error_quark(), code, "stopped") else { return }
    defer { unsafe g_error_free(error) }
    unsafe gst_bus_post(bus.pointer(), gst_message_new_error(nil, error, nil))
  }
}
