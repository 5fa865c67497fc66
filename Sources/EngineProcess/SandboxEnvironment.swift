/// The variables of the environment that a process in the sandbox gets; any other may contain a token, or name a socket.
enum SandboxEnvironment {
  /// The variables of each process: libraries, plug-ins, languages and debugging.
  static let common: Set<Substring> = [
    "HOME", "PATH", "TMPDIR", "TZ", "TZDIR", "XDG_CACHE_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME",
    "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME",
    "LOCALE_ARCHIVE", "LOCPATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LADSPA_PATH", "LV2_PATH", "FREI0R_PATH",
    "G_BROKEN_FILENAMES", "G_DEBUG", "G_FILENAME_ENCODING", "G_MESSAGES_DEBUG", "G_SLICE",
    "GLIBC_TUNABLES", "SWIFT_BACKTRACE", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
  ]
  static let commonPrefixes = ["GST_", "GIO_", "ORC_", "MALLOC_"]
  /// The variables of a process that plays: sound servers and their settings.
  static let sound: Set<Substring> = ["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_RUNTIME_DIR"]
  static let soundPrefixes = ["PULSE_", "PIPEWIRE_", "SPA_", "ALSA_", "JACK_"]
  /// The variables of a process with the network: the proxy, the settings that name it, and certificates.
  static let network: Set<Substring> = [
    "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "SSL_CERT_FILE",
    "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "RES_OPTIONS", "LOCALDOMAIN",
    "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy",
    "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
  ]
  static let networkPrefixes = ["GSETTINGS_"]

  /// Whether a process with a policy gets a variable.
  static func passes(_ name: Substring, _ policy: SandboxPolicy) -> Bool {
    func has(_ names: Set<Substring>, _ prefixes: [String]) -> Bool {
      names.contains(name) || prefixes.contains(where: name.hasPrefix)
    }
    return has(common, commonPrefixes) || policy.playsSound && has(sound, soundPrefixes)
      || policy.hasNetwork && has(network, networkPrefixes)
  }
}
