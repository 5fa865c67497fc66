import ArgumentParser
import DBus
import Logging
import MPRISService

/// Asks the daemon that runs for one of its extras; the commands are words for these calls.
enum ExtrasClient {
  private static let interface: InterfaceName = "org.playerd.Extras1"

  /// What can be asked.
  enum Request {
    case stopAfterCurrent(Bool)
    /// Zero for off.
    case sleep(Duration, afterTrack: Bool)
    case repeatPart(from: Duration, to: Duration)
    case clearRepeat
    case nextChapter, previousChapter
    /// Empty for what was configured.
    case output(String)

    fileprivate var call: (interface: InterfaceName, member: MemberName, arguments: [Value]) {
      switch self {
      case .stopAfterCurrent(let stops):
        (
          "org.freedesktop.DBus.Properties", "Set",
          [.string(interface.rawValue), .string("StopAfterCurrent"), .variant(.boolean(stops))]
        )
      case .sleep(let delay, let afterTrack):
        (interface, "SetSleepTimer", [.int64(delay.microseconds), .boolean(afterTrack)])
      case .repeatPart(let start, let end):
        (interface, "SetABRepeat", [.int64(start.microseconds), .int64(end.microseconds)])
      case .clearRepeat: (interface, "ClearABRepeat", [])
      case .nextChapter: (interface, "NextChapter", [])
      case .previousChapter: (interface, "PreviousChapter", [])
      case .output(let id): (interface, "SetAudioOutput", [.string(id)])
      }
    }
  }

  /// Returns when the daemon has accepted.
  ///
  /// - Throws: `ExitCode` 69 without a daemon, 64 for what it refuses; the reason has been told.
  static func ask(_ request: Request) async throws {
    let log = Logger(label: Names.executable)
    let loop = EventLoop(name: "extras")
    defer { loop.stop() }
    let connection = try await SessionBus.connect(on: loop, log)
    guard let owner = await connection.owner(of: try Names.own(separate: false)) else {
      log.error("no instance is running")
      throw ExitStatus.unavailable
    }
    do throws(DBusError) {
      let call = request.call
      _ = try await connection.call(owner, Names.objectPath, call.interface, call.member, call.arguments)
    } catch {
      log.error("\(error.message)")
      throw error.name == DBusError.invalidArguments("").name ? ExitStatus.usage : ExitStatus.unavailable
    }
  }
}
