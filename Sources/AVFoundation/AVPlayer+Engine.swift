import GstPlayer
import Synchronization

extension AVPlayer {
  nonisolated private static let programOfEngine = Mutex<String?>(nil)

  /// The absolute path of the program `mpris-playerd-engine`; nil, the initial value, plays in this process.
  ///
  /// With a path, media is decoded and played in separate processes, with restrictions: a file that crashes a decoder does
  /// not end this program, and playback continues. The program must have the version of this library. The value applies to
  /// the players that are created afterwards. Apple has no such property.
  nonisolated public static var enginePath: String? {
    get { programOfEngine.withLock(\.self) }
    set { programOfEngine.withLock { $0 = newValue } }
  }

  /// The configuration of the next player.
  nonisolated static var configuration: Player.Configuration {
    var configuration = Player.Configuration()
    configuration.timeShift = .seconds(600)
    if let path = enginePath { configuration.engine = .process(at: path) }
    return configuration
  }
}
