import CGst
import Synchronization

/// A request of an HTTP source and its response, from the first time that it is sent until it is released.
///
/// `souphttpsrc` sends the same message of libsoup again after a seek and after a lost connection. It does not report
/// the redirects that led to a response, or the reason why a secure connection failed. So the signals of its messages
/// are observed.
final class HTTPRequest: Sendable {
  private struct State {
    /// The URI that the message is being sent to.
    var target: GURI?
    /// The URI that later requests are sent to, if it is not the URI of the last redirect.
    var home: GURI?
    /// The credentials of the first request; libsoup removes them when a redirect leads to another server.
    var authorization: String?
    var isShakingHands = false
    var failure: TLSFailure?
  }

  /// The URI of the source.
  let uri: String
  /// The URI of the playlist that led to this request; nil if none did.
  let referrer: String?
  private let state = Mutex(State())

  private init(uri: String, referrer: String?) {
    self.uri = uri
    self.referrer = referrer
  }

  // MARK: Observation

  /// Observes each message of the process from now on; has an effect once.
  ///
  /// <https://gnome.pages.gitlab.gnome.org/libsoup/libsoup-3.0/class.Message.html#signals>
  static let observeAll: Void = {
    guard let soup = LibSoup.loaded else { return }
    unsafe Signal.everyEmission("request-queued", of: soup.sessionType) { values in
      guard let message = unsafe g_value_get_object(values + 1),
        let request = unsafe HTTPRequest.of(message) ?? HTTPRequest.attached(to: message, soup)
      else { return }
      // Before the session makes its first connection.
      if let session = unsafe g_value_get_object(values) { unsafe ProxySettings.apply(to: session) }
      unsafe request.queued(message, soup)
    }
    func observe(_ signal: String, _ body: @escaping @Sendable (HTTPRequest, UnsafePointer<GValue>) -> Void) {
      unsafe Signal.everyEmission(signal, of: soup.messageType) { values in
        guard let message = unsafe g_value_get_object(values), let request = unsafe HTTPRequest.of(message) else {
          return
        }
        unsafe body(request, values)
      }
    }
    unsafe observe("restarted") { request, values in unsafe request.restarted(g_value_get_object(values)) }
    unsafe observe("network-event") { request, values in unsafe request.connecting(g_value_get_enum(values + 1)) }
    unsafe observe("starting") { _, _ in ResponseHead.begin() }
    unsafe observe("got-headers") { request, values in unsafe request.answered(g_value_get_object(values), soup) }
    unsafe observe("finished") { request, values in unsafe request.finished(g_value_get_object(values), soup) }
  }()

  private static let key = "mpris-playerd-request"

  private static func of(_ message: UnsafeMutableRawPointer) -> HTTPRequest? {
    unsafe CallbackValue<HTTPRequest>.value(in: g_object_get_data(message.assumingMemoryBound(to: GObject.self), key))
  }

  /// Attaches a value to a message of an HTTP source; nil for a message of another library.
  private static func attached(to message: UnsafeMutableRawPointer, _ soup: LibSoup) -> HTTPRequest? {
    // Every source sends this field.
    guard unsafe soup.field("icy-metadata", in: .request, of: message) != nil, let uri = unsafe GURI(of: message)
    else { return nil }
    let request = unsafe HTTPRequest(uri: uri.text, referrer: soup.field("Referer", in: .request, of: message))
    unsafe g_object_set_data_full(
      message.assumingMemoryBound(to: GObject.self), key, CallbackValue<HTTPRequest>.data(request), releaseCallbackData)
    unsafe ServerCertificates.observe(message, of: request)
    return request
  }

  // MARK: Signals, on the thread of the session

  /// Handles that the message is about to be sent by the source.
  private func queued(_ message: UnsafeMutableRawPointer, _ soup: LibSoup) {
    let target = unsafe GURI(of: message)
    let authorization = unsafe soup.field("Authorization", in: .request, of: message)
    state.withLock { state in
      state.target = target
      state.authorization = state.authorization ?? authorization
      (state.isShakingHands, state.failure) = (false, nil)
    }
  }

  /// Handles that the message is sent again: because of a redirect, or with credentials.
  ///
  /// After a temporary redirect, later requests are sent to the URI before it; a signed target has expired then (403).
  ///
  /// <https://www.rfc-editor.org/rfc/rfc9110#section-15.4>
  private func restarted(_ message: UnsafeMutableRawPointer?) {
    guard let message = unsafe message, let target = unsafe GURI(of: message) else { return }
    let status = unsafe GLib.get(message, "status-code") { unsafe g_value_get_uint($0) }
    state.withLock { state in
      if (300...399).contains(status), ![301, 308].contains(status), state.home == nil { state.home = state.target }
      state.target = target
    }
  }

  /// Handles a step of the connection.
  private func connecting(_ event: gint) {
    switch GSocketClientEvent(rawValue: GSocketClientEvent.RawValue(event)) {
    case G_SOCKET_CLIENT_TLS_HANDSHAKING: state.withLock { $0.isShakingHands = true }
    case G_SOCKET_CLIENT_TLS_HANDSHAKED: state.withLock { $0.isShakingHands = false }
    default: break
    }
  }

  private func answered(_ message: UnsafeMutableRawPointer?, _ soup: LibSoup) {
    TLSFailure.forget(of: self)
    guard let message = unsafe message else { return }
    unsafe StationFields.decode(in: message, soup)
  }

  /// Handles the end of the message, before the source can send it again.
  private func finished(_ message: UnsafeMutableRawPointer?, _ soup: LibSoup) {
    ResponseHead.discard()
    let (home, target, authorization, failure) = state.withLock { state in
      defer { state.home = nil }
      let failure = state.isShakingHands ? state.failure ?? .handshake : nil
      return (state.home, state.target, state.authorization, failure)
    }
    if let failure { failure.note(of: self) }
    if let home, let target { PlaylistRequests.redirected(from: home.text, to: target.text) }
    guard let message = unsafe message, let home else { return }
    unsafe home.set(on: message)
    // libsoup sets the field only if there is none.
    unsafe soup.set("Host", to: nil, in: .request, of: message)
    if let authorization { unsafe soup.set("Authorization", to: authorization, in: .request, of: message) }
  }

  /// Records why the certificate of the server is rejected.
  func rejected(_ failure: TLSFailure) { state.withLock { $0.failure = failure } }

  /// The server that the message is being sent to.
  var host: String? { state.withLock { $0.target?.host } }
}
