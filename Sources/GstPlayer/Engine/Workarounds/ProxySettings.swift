import CGst
import Glibc

/// The proxies that the environment names.
///
/// `souphttpsrc` reads only `http_proxy`, and sends every request to that proxy, even requests to the servers in
/// `no_proxy`. A session with the resolver of these settings follows all variables, also after a redirect. Without
/// variables, the default resolver of GIO reads the settings of the desktop.
///
/// <https://docs.gtk.org/gio/class.SimpleProxyResolver.html>
struct ProxySettings: Equatable {
  /// How a request reaches its server.
  enum Route: Equatable {
    case direct
    /// By the proxy with this URI.
    case proxy(String)
    /// By a proxy that a script (PAC) selects: a program on the session bus runs it, which the engine cannot reach.
    case script
  }

  /// The URIs of the proxies, by the schemes of the requests.
  private(set) var proxies: [String: String] = [:]
  /// The hosts, domains and addresses that are reached directly.
  private(set) var exempt: [String] = []

  /// Reads the settings from variables; nil if none of them names a proxy.
  init?(variable: (String) -> String? = { name in unsafe GLib.borrow(getenv(name)) }) {
    func value(_ name: String) -> String? {
      [name, name.uppercased()].compactMap(variable).map { $0.filter { !$0.isWhitespace } }.first { !$0.isEmpty }
    }
    let (http, all) = (value("http_proxy"), value("all_proxy"))
    // For secure servers, souphttpsrc and libproxy use the proxy of the others, too.
    proxies["http"] = (http ?? all).map(Self.uri)
    proxies["https"] = (value("https_proxy") ?? all ?? http).map(Self.uri)
    guard !proxies.isEmpty else { return nil }
    let names = ["no_proxy", "NO_PROXY"].compactMap(variable).first ?? ""
    exempt = names.split { $0 == "," || $0.isWhitespace }.map(String.init)
    if exempt.contains("*") { proxies = [:] }
  }

  /// Returns the URI of a proxy, which may be without a scheme, or with one of curl that GIO does not know.
  private static func uri(_ proxy: String) -> String {
    if proxy.hasPrefix("socks5h://") { return "socks5://" + proxy.dropFirst("socks5h://".count) }
    return proxy.contains("://") ? proxy : "http://\(proxy)"
  }

  /// Gives a session of libsoup the resolver of the environment, if it names a proxy.
  static func apply(to session: UnsafeMutableRawPointer) {
    guard unsafe cgst_mark(session, "playerd-proxy") != 0, let settings = ProxySettings(),
      let functions = ResolverFunctions.loaded
    else { return }
    unsafe settings.withResolver(functions) { resolver in
      unsafe GLib.set(session, "proxy-resolver", type: functions.type) { unsafe g_value_set_object($0, resolver) }
    }
  }

  /// Returns the route of a request: by the environment, or else by the settings of the desktop.
  ///
  /// May block until these settings are read.
  static func route(to uri: String) -> Route {
    guard let functions = ResolverFunctions.loaded else { return .direct }
    let settings = ProxySettings()
    let first =
      unsafe settings.map { unsafe $0.withResolver(functions) { unsafe functions.firstProxy(of: $0, for: uri) } ?? nil }
      ?? functions.firstProxy(of: functions.defaultResolver, for: uri)
    switch first {
    case nil, "direct://": return .direct
    // GNOME's resolver returns this when no program runs the script.
    case "use-proxy:": return .script
    case let proxy?: return .proxy(proxy)
    }
  }

  /// Returns the result of `body` with a resolver, and releases the resolver; nil if there is none.
  private func withResolver<Result>(
    _ functions: ResolverFunctions, _ body: (UnsafeMutableRawPointer) -> Result
  ) -> Result? {
    guard let object = unsafe g_object_new_with_properties(functions.type, 0, nil, nil) else { return nil }
    defer { unsafe g_object_unref(object) }
    let resolver = UnsafeMutableRawPointer(object)
    unsafe GLib.set(resolver, "ignore-hosts", toStrings: exempt)
    for (scheme, proxy) in proxies { unsafe functions.setProxy(resolver, scheme, proxy) }
    return unsafe body(resolver)
  }
}

/// The functions of GIO's resolvers of proxies.
///
/// Linking with GIO would load it into each process of the engine; libsoup loads it where there is a network.
@safe private struct ResolverFunctions: Sendable {
  private typealias TypeGetter = @convention(c) @Sendable () -> GType
  private typealias DefaultGetter = @convention(c) @Sendable () -> UnsafeMutableRawPointer?
  private typealias Lookup =
    @convention(c) @Sendable (
      UnsafeMutableRawPointer, UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  fileprivate typealias Setter =
    @convention(c) @Sendable (UnsafeMutableRawPointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void

  static let loaded = ResolverFunctions()

  /// The type `GSimpleProxyResolver`.
  let type: GType
  let setProxy: Setter
  private let lookup: Lookup
  private let getDefault: DefaultGetter

  private init?() {
    guard let library = unsafe dlopen("libgio-2.0.so.0", RTLD_LAZY),
      let type = unsafe dlsym(library, "g_simple_proxy_resolver_get_type"),
      let setProxy = unsafe dlsym(library, "g_simple_proxy_resolver_set_uri_proxy"),
      let lookup = unsafe dlsym(library, "g_proxy_resolver_lookup"),
      let getDefault = unsafe dlsym(library, "g_proxy_resolver_get_default")
    else { return nil }
    self.type = unsafe unsafeBitCast(type, to: TypeGetter.self)()
    unsafe self.setProxy = unsafeBitCast(setProxy, to: Setter.self)
    unsafe self.lookup = unsafeBitCast(lookup, to: Lookup.self)
    unsafe self.getDefault = unsafeBitCast(getDefault, to: DefaultGetter.self)
  }

  var defaultResolver: UnsafeMutableRawPointer? { unsafe getDefault() }

  /// Returns the first proxy that a resolver gives for a URI.
  func firstProxy(of resolver: UnsafeMutableRawPointer?, for uri: String) -> String? {
    guard let resolver = unsafe resolver, let proxies = unsafe lookup(resolver, uri, nil, nil) else { return nil }
    defer { unsafe g_strfreev(proxies) }
    return unsafe GLib.borrow(proxies.pointee)
  }
}
