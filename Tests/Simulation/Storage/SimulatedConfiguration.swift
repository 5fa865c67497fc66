@testable import PlayerdConfiguration

/// The configuration file of a simulated daemon: some keys with their values, and a fault.
///
/// A choice is the index of its word; a missing key is nil.
package struct SimulatedConfiguration: Hashable, Sendable {
  package enum Fault: Hashable, Sendable {
    case none
    /// The file does not exist; that is not an error.
    case missing
    case unreadable
    /// A further line has a value that its key does not accept, of its type or of another one.
    case wrongValue(Int)
    case unknownKey
    case section
    case repeatedKey
    /// The file ends within the name of a key.
    case cut
    case zeroByte
  }

  package var resume: Int?
  package var pauseOnSleep: Int?
  package var inhibitsSleep: Bool?
  package var allowsQuit: Bool?
  /// In seconds.
  package var networkTimeout: Int?
  /// In seconds.
  package var loadTimeout: Int?
  package var fault: Fault

  package init(
    resume: Int? = nil, pauseOnSleep: Int? = nil, inhibitsSleep: Bool? = nil, allowsQuit: Bool? = nil,
    networkTimeout: Int? = nil, loadTimeout: Int? = nil, fault: Fault = .none
  ) {
    self.resume = resume
    self.pauseOnSleep = pauseOnSleep
    self.inhibitsSleep = inhibitsSleep
    self.allowsQuit = allowsQuit
    self.networkTimeout = networkTimeout
    self.loadTimeout = loadTimeout
    self.fault = fault
  }

  static let path = "/config/mpris-playerd/config.toml"

  static func random(_ random: inout RandomSource) -> SimulatedConfiguration {
    var file = SimulatedConfiguration()
    if random.chance(70) { file.resume = random.number(0...2) }
    if random.chance(70) { file.pauseOnSleep = random.number(0...2) }
    if random.chance(70) { file.inhibitsSleep = random.chance(50) }
    if random.chance(40) { file.allowsQuit = random.chance(50) }
    if random.chance(40) { file.networkTimeout = random.number(1...600) }
    if random.chance(40) { file.loadTimeout = random.number(5...20) }
    file.fault = random.pick(weighted: [
      (60, .none), (5, .missing), (5, .unreadable), (10, .wrongValue(random.number(0...3))), (5, .unknownKey),
      (4, .section), (4, .repeatedKey), (4, .cut), (3, .zeroByte),
    ])
    if random.chance(8) { file = SimulatedConfiguration(fault: file.fault) }
    return file
  }

  var isValid: Bool { fault == .none || fault == .missing }

  /// The wrong line, and the text that its report must contain.
  private var wrongLine: (line: String, report: String)? {
    switch fault {
    case .none, .missing: nil
    case .unreadable: ("", "")
    case .wrongValue(0): ("network-buffer = 601", "network-buffer")
    case .wrongValue(1): ("lyrics = \"yes\"", "lyrics")
    case .wrongValue(2): ("audio-languages = [\"?\"]", "audio-languages")
    case .wrongValue: ("replay-gain = loud", "replay-gain")
    case .unknownKey: ("alow-quit = true", "alow-quit: unknown key; did you mean “allow-quit”?")
    case .section: ("[player]", "[player]")
    case .repeatedKey: ("fade = 1\nfade = 2", "fade")
    case .cut: ("pause-on-sl", "")
    case .zeroByte: ("# \0", "NUL")
    }
  }

  /// The text that the report of the fault must contain, apart from the path.
  var report: String { wrongLine?.report ?? "" }

  /// The content of the file; nil for no file.
  var text: String? {
    guard fault != .missing else { return nil }
    var lines: [String] = []
    if let resume { lines.append("resume = \"\(["paused", "playing", "off"][resume % 3])\"") }
    if let pauseOnSleep { lines.append("pause-on-sleep = \"\(["pause", "resume", "off"][pauseOnSleep % 3])\"") }
    if let inhibitsSleep { lines.append("inhibit-sleep = \(inhibitsSleep)") }
    if let allowsQuit { lines.append("allow-quit = \(allowsQuit) # for clients") }
    if let networkTimeout { lines.append("network-timeout = \(networkTimeout)") }
    if let loadTimeout { lines.append("load-timeout = \(loadTimeout).0") }
    if let wrongLine { lines.append(wrongLine.line) }
    return lines.joined(separator: "\n") + (fault == .cut ? "" : "\n")
  }

  /// The settings that the file stands for.
  var settings: Configuration {
    var settings = Configuration()
    guard fault != .missing else { return settings }
    if let resume { settings.resume = [.paused, .playing, .off][resume % 3] }
    if let pauseOnSleep { settings.pauseOnSleep = [.pause, .resume, .off][pauseOnSleep % 3] }
    if let inhibitsSleep { settings.inhibitSleep = inhibitsSleep }
    if let allowsQuit { settings.allowQuit = allowsQuit }
    if let networkTimeout { settings.networkTimeout = Double(networkTimeout) }
    if let loadTimeout { settings.loadTimeout = Double(loadTimeout) }
    return settings
  }

  func install(on disk: SimulatedDisk) {
    disk.install(Self.path, text.map { Array($0.utf8) }, isReadable: fault != .unreadable)
  }
}
