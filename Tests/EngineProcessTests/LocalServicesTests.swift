import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("The local services of a process in the sandbox") struct LocalServicesTests {
  private func services(
    _ policy: SandboxPolicy, _ variables: [String: String] = [:], _ files: [String: String] = [:]
  ) -> LocalServices {
    LocalServices(policy) {
      variables[$0]
    } read: {
      files[$0]
    }
  }

  private static let output = SandboxPolicy(output: Player.Configuration(audioSink: "pulsesink"))

  @Test("A process that reads streams reaches the services of names, and no sound server")
  func names() {
    let services = services(
      .streams, ["XDG_RUNTIME_DIR": "/run/user/1000", "PULSE_SERVER": "/run/user/1000/pulse/native"])
    for path in [
      "/run/systemd/resolve/io.systemd.Resolve", "/run/avahi-daemon/socket", "/var/run/nscd/socket",
      "/var/lib/sss/pipes/nss",
    ] { #expect(services.allows(path), "\(path)") }
    for path in [
      "/run/user/1000/pulse/native", "/run/user/1000/bus", "/run/user/1000/systemd/private",
      "/run/dbus/system_bus_socket",
      "/run/systemd/private", "/run/avahi-daemon/../user/1000/bus", "", "/",
    ] { #expect(!services.allows(path), "\(path)") }
  }

  @Test("The output reaches the sockets of the sound servers that the environment and the settings name")
  func sound() {
    let variables = [
      "XDG_RUNTIME_DIR": "/run/user/1000", "HOME": "/home/a", "PULSE_SERVER": "{0123}unix:/srv/one tcp:example.org",
      "PIPEWIRE_REMOTE": "pipewire-7",
    ]
    let files = [
      "/home/a/.config/pulse/client.conf":
        "# default-server = unix:/srv/no\n default-server = unix:/srv/two\nautospawn=no",
      "/etc/pulse/client.conf": "default-server=/srv/three",
    ]
    let services = services(Self.output, variables, files)
    for path in [
      "/run/user/1000/pulse/native", "/run/pulse/native", "/srv/one", "/srv/two", "/srv/three",
      "/run/user/1000/pipewire-0", "/run/user/1000/pipewire-7", "/run/pipewire/pipewire-0",
    ] { #expect(services.allows(path), "\(path)") }
    for path in [
      "/srv/no", "/run/user/1000/bus", "/run/user/1000/pipewire-0-manager", "/run/user/1000/pulse/cli",
      "tcp:example.org",
      "/run/systemd/resolve/io.systemd.Resolve", "/tmp/alsa-dmix-1",
    ] { #expect(!services.allows(path), "\(path)") }
    #expect(services.hasSoundServerInNetwork)
    #expect(
      !self.services(Self.output, ["PULSE_SERVER": "unix:/srv/one /srv/two {0}/srv/three"]).hasSoundServerInNetwork)
    #expect(
      self.services(Self.output, ["HOME": "/home/a"], ["/etc/pulse/client.conf": "default-server = host"])
        .hasSoundServerInNetwork)
  }

  @Test("Without a runtime folder, nothing relative is allowed")
  func relative() {
    let services = services(
      Self.output, ["PULSE_RUNTIME_PATH": "pulse", "PIPEWIRE_REMOTE": "a/b", "XDG_RUNTIME_DIR": ""])
    for path in ["pulse/native", "a/b", "/native", "/pulse/native", "/pipewire-0"] {
      #expect(!services.allows(path), "\(path)")
    }
  }

  @Test("A process that reads files, or plays into one, reaches what its policy says")
  func policies() {
    #expect(!SandboxPolicy.files.hasNetwork && !SandboxPolicy.files.hasLocalSockets)
    #expect(SandboxPolicy.streams.hasNetwork && !SandboxPolicy.streams.playsSound)
    let isLocal = { (sink: String?) in !SandboxPolicy(output: Player.Configuration(audioSink: sink)).hasNetwork }
    for sink in [
      "pulsesink", "pulsesink device=a", "pipewiresink", "fakesink sync=true",
      "audioconvert ! wavenc ! filesink location=/tmp/a",
      "alsasink device=hw:0",
    ] { #expect(isLocal(sink), "\(sink)") }
    for sink in ["pulsesink server=tcp:a", "vorbisenc ! oggmux ! shout2send", "udpsink host=a", "tcpserversink"] {
      #expect(!isLocal(sink), "\(sink)")
    }
  }

  @Test("The path in an address is read up to its end or its first NUL; abstract names and other addresses lack a path")
  func paths() {
    func address(_ family: CInt, _ name: [UInt8]) -> [UInt8] {
      unsafe withUnsafeBytes(of: sa_family_t(family)) { unsafe Array($0) } + name
    }
    let path = Array("/run/a".utf8)
    #expect(ConnectionBroker.path(in: address(AF_UNIX, path)) == "/run/a")
    #expect(ConnectionBroker.path(in: address(AF_UNIX, path + [0] + path)) == "/run/a")
    #expect(ConnectionBroker.path(in: address(AF_UNIX, [0] + path)) == nil)
    #expect(ConnectionBroker.path(in: address(AF_UNIX, [])) == nil)
    #expect(ConnectionBroker.path(in: address(AF_INET, path)) == nil)
    #expect(ConnectionBroker.path(in: address(AF_UNIX, [0xFF, 0xFE])) == nil)
    #expect(ConnectionBroker.path(in: [1]) == nil && ConnectionBroker.path(in: []) == nil)
  }
}
