extension Player.Configuration {
  /// Whether a player's engine runs in the process of the player or in separate ones, with the limits of those processes.
  ///
  /// Media that crashes or blocks a decoder in a separate process cannot end the program of the player. The processes
  /// are started when the first item is loaded, and ended when nothing was loaded for some time. If one ends unexpectedly,
  /// playback continues at the same position in another one. An item whose decoder ended its process twice fails with
  /// ``PlayerError/Code/engineEnded``.
  public struct Engine: Codable, Hashable, Sendable {
    /// The absolute path of the program `mpris-playerd-engine`; nil for the process of the player.
    public var path: String?
    /// The time without a loaded item after which the process is ended; zero or more, by default a minute.
    public var idleTime = Duration.seconds(60) {
      didSet { idleTime = max(.zero, idleTime.limited) }
    }
    /// The bytes that the process may use in addition to those at its start; by default 512 MiB, at least 1 MiB.
    ///
    /// A process that needs more is ended.
    public var memoryLimit = 512 << 20 {
      didSet { memoryLimit = min(max(1 << 20, memoryLimit), 1 << 50) }
    }
    /// Whether the kernel restricts the files, the programs and the other processes that the process can reach; by default
    /// it does, as far as it can.
    ///
    /// Plug-ins that start programs or write files need ``Sandbox/off``.
    public var sandbox = Sandbox.on
    /// The time within which the process has to answer; one that does not is ended.
    ///
    /// It is less than the default load time-out, so that an item does not fail because the whole process hangs.
    package var answerTime = Duration.seconds(6)
    /// The CPU time without progress after which the process is ended: without a command, and without audio at the output.
    package var timeLimit = Duration.seconds(60)

    /// The engine runs in the process of the player.
    public static let inProcess = Engine(path: nil)

    /// Returns an engine in a separate process.
    ///
    /// - Parameter path: The absolute path of the program `mpris-playerd-engine`, which has the version of this library.
    /// - Returns: The engine with the default limits.
    public static func process(at path: String) -> Engine { Engine(path: path) }

    /// The choice between a process with restrictions and one without.
    public enum Sandbox: String, Codable, Hashable, Sendable, CaseIterable {
      /// The process opens only files that the player has named, and those that libraries need. It starts no programs.
      case on
      /// The process has all the rights of the player's program.
      case off
    }

    private init(path: String?) { self.path = path }
  }
}
