import Testing

@testable import GstPlayer

@Suite("Proxies in the environment")
struct ProxySettingsTests {
  private func settings(_ variables: [String: String]) -> ProxySettings? { ProxySettings { variables[$0] } }

  @Test("Without a variable that names a proxy, the settings are nil")
  func none() {
    #expect(settings([:]) == nil)
    #expect(settings(["no_proxy": "*", "ftp_proxy": "a:1", "http_proxy": " "]) == nil)
  }

  @Test(
    "Each scheme has the proxy of its variable, or else the proxy of all, and secure servers also the one of the others",
    arguments: [
      (["http_proxy": "http://a:1"], ["http": "http://a:1", "https": "http://a:1"]),
      (["HTTP_PROXY": "a:1", "https_proxy": "b:2"], ["http": "http://a:1", "https": "http://b:2"]),
      (["https_proxy": "b:2"], ["https": "http://b:2"]),
      (["all_proxy": "socks5h://c:3", "http_proxy": "a:1"], ["http": "http://a:1", "https": "socks5://c:3"]),
      (["ALL_PROXY": "socks5://c:3"], ["http": "socks5://c:3", "https": "socks5://c:3"]),
    ] as [([String: String], [String: String])])
  func schemes(variables: [String: String], proxies: [String: String]) {
    #expect(settings(variables)?.proxies == proxies)
    #expect(settings(variables)?.exempt == [])
  }

  @Test("The servers in no_proxy are separated by commas or spaces; an asterisk exempts all of them")
  func exempt() {
    #expect(
      settings(["http_proxy": "a:1", "no_proxy": "localhost, .example.org 10.0.0.0/8"])?.exempt
        == ["localhost", ".example.org", "10.0.0.0/8"])
    #expect(settings(["http_proxy": "a:1", "NO_PROXY": "*"])?.proxies == [:])
  }
}
