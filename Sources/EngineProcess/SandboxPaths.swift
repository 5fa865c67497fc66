import CLinux
import Glibc

/// The files and folders that GStreamer, its plug-ins and the libraries of the sound servers open.
package struct SandboxPaths: Sendable {
  private let policy: SandboxPolicy
  private let variable: @Sendable (String) -> String?

  /// Creates the paths of a process with a policy.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - variable: Returns the value of a variable of the environment.
  package init(
    _ policy: SandboxPolicy,
    variable: @escaping @Sendable (String) -> String? = { name in unsafe getenv(name).map { unsafe String(cString: $0) }
    }
  ) {
    (self.policy, self.variable) = (policy, variable)
  }

  /// Readable: programs and libraries, the settings of the system, and those files of the user that audio needs.
  ///
  /// The last paths are the targets outside these folders to which links in them lead.
  package var readable: [String] {
    let paths = own
    return paths + LinkedPlaces(of: linking, outside: paths, home: home).paths
  }

  /// Folders whose names are readable: libpulse opens the folder of the server's socket before it connects, and a server that
  /// starts later makes that folder.
  package var listed: [String] {
    guard policy.playsSound else { return [] }
    return ["XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH"].compactMap(variable).filter { $0.hasPrefix("/") }
  }

  /// Readable and writable devices, with all of their commands.
  package var devices: [String] {
    ["/dev/null"] + (policy.playsSound ? ["/dev/snd"] : [])
      + (policy.readsDiscs ? ["/dev/cdrom", "/dev/sr0", "/dev/sr1"] : [])
  }

  /// The files that may be replaced or appear while the process runs, which it then cannot open: a rule of Landlock is for a
  /// file and not for its path, and none can be added.
  package var changing: Set<FilePlace> {
    let paths = changingPaths
    let linked = LinkedPlaces(of: linking, outside: own, home: home).paths
    return Set((paths + linked).compactMap(FilePlace.init))
  }

  private var own: [String] { Self.system + program + Self.sound + changingPaths }
  private var changingPaths: [String] { named + (policy.hasSockets ? settings + Self.resolver : []) + [plugins] }
  private var linking: [String] {
    named + (policy.hasSockets ? settings : []) + [plugins] + Self.pluginFolders + Self.configuration
  }

  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/etc", "/nix/store", "/gnu/store",
    "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
    // The number of processors and their features.
    "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/sys/devices/system",
  ]

  /// The sound cards.
  private static let sound = ["/proc/asound", "/sys/class/sound", "/run/udev/data"]

  /// The files and folders in `/etc` that the libraries of audio, of names and of certificates read; other links there are
  /// not followed.
  private static let configuration = [
    "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "gai.conf", "services", "protocols", "localtime",
    "machine-id", "asound.conf", "alsa", "pulse", "pipewire", "ssl", "pki", "ca-certificates", "crypto-policies",
    "gnutls", "dconf",
  ].map { "/etc/\($0)" }

  /// The folders of GStreamer's plug-ins, which may contain links.
  private static var pluginFolders: [String] {
    let libraries = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"]
    let architectures = ["/usr/lib", "/usr/local/lib"].flatMap { folder in
      FolderEntries.read(folder).filter { $0.name.contains("-linux-") }.map { "\(folder)/\($0.name)" }
    }
    return (libraries + architectures).map { "\($0)/gstreamer-1.0" }
  }

  /// The folder of this program: its libraries may be beside it.
  private var program: [String] {
    let path = FolderEntries.target(ofLink: "/proc/self/exe").map { String(decoding: $0, as: UTF8.self) }
    return path.flatMap { path in path.lastIndex(of: "/").map { [String(path[..<$0])] } } ?? []
  }

  /// The files and folders that variables of the environment name for GStreamer, GIO, and the sound servers.
  private var named: [String] {
    let libraries = [
      "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH", "GST_PLUGIN_SYSTEM_PATH_1_0",
      "GST_PRESET_PATH",
      "LD_LIBRARY_PATH", "GIO_MODULE_DIR", "GIO_EXTRA_MODULES", "LADSPA_PATH", "LV2_PATH", "FREI0R_PATH",
    ]
    let servers = [
      "SSL_CERT_FILE", "SSL_CERT_DIR", "PULSE_CLIENTCONFIG", "PULSE_COOKIE", "ALSA_CONFIG_PATH", "ALSA_PLUGIN_DIR",
      "SPA_PLUGIN_DIR", "SPA_DATA_DIR", "PIPEWIRE_MODULE_DIR", "PIPEWIRE_CONFIG_DIR", "PIPEWIRE_CONFIG_FILE",
    ]
    return (policy.hasSockets ? libraries + servers : libraries)
      .flatMap { variable($0)?.split(separator: ":").map(String.init) ?? [] }.filter { $0.hasPrefix("/") }
  }

  /// The user's settings for audio, the cookie of PulseAudio, and the settings of GNOME, which name the proxy.
  private var settings: [String] {
    guard home.hasPrefix("/") else { return [] }
    let config = folder("XDG_CONFIG_HOME", or: "\(home)/.config")
    return ["pulse", "pipewire", "alsa", "dconf", "glib-2.0/settings"].map { "\(config)/\($0)" }
      + [".asoundrc", ".pulse", ".pulse-cookie"].map { "\(home)/\($0)" }
  }

  /// The folder of the user's plug-ins.
  private var plugins: String { folder("XDG_DATA_HOME", or: "\(home)/.local/share") + "/gstreamer-1.0" }

  /// The folders of the files that name the DNS servers; they are replaced when the network changes.
  private static let resolver = [
    "/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/run/connman", "/run/netconfig",
  ]

  private var home: String { variable("HOME") ?? "" }

  private func folder(_ name: String, or fallback: String) -> String {
    variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? fallback
  }
}

/// A file or a folder of a file system, whatever its path.
package struct FilePlace: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Finds the target to which a path leads; nil if it does not exist.
  init?(_ path: String) {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return nil }
    (device, inode) = (UInt64(info.st_dev), UInt64(info.st_ino))
  }
}
