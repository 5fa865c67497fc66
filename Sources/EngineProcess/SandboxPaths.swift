import Glibc

/// The files and folders that GStreamer, its plug-ins and the libraries of the sound servers open.
enum SandboxPaths {
  /// Readable: programs and libraries, the settings of the system, and those files of the user that audio needs.
  static var readable: [String] { system + program + named + settings + resolver }

  /// Folders whose names are readable: libpulse opens the folder of the server's socket before it connects, and a server that
  /// starts later makes that folder.
  static var listed: [String] {
    ["XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH"].compactMap(value(of:)).filter { $0.hasPrefix("/") }
  }

  /// Readable and writable devices, with all of their commands.
  static let devices = ["/dev/null", "/dev/snd", "/dev/cdrom", "/dev/sr0", "/dev/sr1"]

  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/etc", "/nix/store", "/gnu/store",
    "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
    // The number of processors and their features.
    "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/sys/devices/system",
    // The sound cards.
    "/proc/asound", "/sys/class/sound", "/run/udev/data",
  ]

  /// The folder of this program: its libraries may be beside it.
  private static var program: [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return [] }
    let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.lastIndex(of: "/").map { [String(path[..<$0])] } ?? []
  }

  /// The files and folders that variables of the environment name for GStreamer, GIO, and the sound servers.
  private static var named: [String] {
    let lists = [
      "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH", "GST_PLUGIN_SYSTEM_PATH_1_0",
      "GST_PRESET_PATH",
      "LD_LIBRARY_PATH", "GIO_MODULE_DIR", "GIO_EXTRA_MODULES", "LADSPA_PATH", "LV2_PATH", "FREI0R_PATH",
      "SSL_CERT_FILE", "SSL_CERT_DIR", "PULSE_CLIENTCONFIG", "PULSE_COOKIE", "ALSA_CONFIG_PATH", "ALSA_PLUGIN_DIR",
      "SPA_PLUGIN_DIR", "SPA_DATA_DIR", "PIPEWIRE_MODULE_DIR", "PIPEWIRE_CONFIG_DIR", "PIPEWIRE_CONFIG_FILE",
    ]
    return lists.flatMap { value(of: $0)?.split(separator: ":").map(String.init) ?? [] }.filter { $0.hasPrefix("/") }
  }

  /// The user's settings and plug-ins for audio, the cookie of PulseAudio, and the settings of GNOME, which name the proxy.
  private static var settings: [String] {
    let home = value(of: "HOME") ?? ""
    let config = folder("XDG_CONFIG_HOME", or: "\(home)/.config")
    let data = folder("XDG_DATA_HOME", or: "\(home)/.local/share")
    guard home.hasPrefix("/") else { return [] }
    return ["pulse", "pipewire", "alsa", "dconf"].map { "\(config)/\($0)" }
      + [".asoundrc", ".pulse", ".pulse-cookie"].map { "\(home)/\($0)" } + ["\(data)/gstreamer-1.0"]
  }

  /// The file by which dconf notices changes of the settings of GNOME; dconf writes a byte when it opens it.
  static var flag: String? {
    guard let home = value(of: "HOME"), home.hasPrefix("/") else { return nil }
    let fallback = folder("XDG_CACHE_HOME", or: "\(home)/.cache")
    return folder("XDG_RUNTIME_DIR", or: fallback) + "/dconf/user"
  }

  /// The folders of the files that name the DNS servers; they are replaced when the network changes.
  private static let resolver = [
    "/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/run/connman", "/run/netconfig",
  ]

  private static func folder(_ variable: String, or fallback: String) -> String {
    value(of: variable).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? fallback
  }

  private static func value(of variable: String) -> String? {
    unsafe getenv(variable).map { unsafe String(cString: $0) }
  }
}
