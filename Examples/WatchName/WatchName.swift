import DBus
import Glibc

/// Watches a bus name and one property of an object: prints the owners and the values.
///
///     watch-name NAME PATH INTERFACE PROPERTY
///     watch-name org.mpris.MediaPlayer2.vlc /org/mpris/MediaPlayer2 org.mpris.MediaPlayer2.Player PlaybackStatus
@main
struct WatchName {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 4 else {
      show("usage: watch-name NAME PATH INTERFACE PROPERTY")
      exit(64)
    }
    // Texts from outside are validated; an invalid one throws an error with the reason.
    let name = try BusName(arguments[0])
    let property = try MemberName(arguments[3])
    let connection = try await ReconnectingDBusConnection(on: PollLoop(name: "watch-name")).open()
    let object = DBusProxy(
      try InterfaceName(arguments[2]), at: try ObjectPath(arguments[1]), of: name, on: connection)

    // Both streams end if the bus is lost.
    try await withThrowingTaskGroup { group in
      group.addTask {
        for await owner in try await connection.owners(of: name) {
          show(owner.map { "\(name) is owned by \($0)" } ?? "\(name) is unowned")
        }
      }
      group.addTask {
        var last: DBusValue?
        for await values in try await object.propertyChanges() {
          guard let value = values?[property.rawValue], value != last else { continue }
          last = value
          show("\(property): \(value)")
        }
      }
      try await group.waitForAll()
    }
    show("the bus is lost")
  }

  /// Prints a line at once, also into a pipe.
  private static func show(_ line: String) {
    print(line)
    fflush(nil)
  }
}
