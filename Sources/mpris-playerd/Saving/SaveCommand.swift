import ArgumentParser
import DBus
import Logging

/// `mpris-playerd save NAME`: the queue of the instance that runs becomes a playlist.
struct SaveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the queue as a playlist.",
    discussion: """
      The running instance writes it to its playlist folder, where clients find it from then on, and the path of the \
      file is printed.
      """)

  @ArgumentParser.Argument(help: ArgumentHelp("What the playlist is called.", valueName: "name"))
  var name: String

  @Flag(help: "Replace a saved queue of this name.")
  var force = false

  func validate() throws {
    guard PlaylistName(name) != nil else { throw ValidationError("“\(name)”: \(PlaylistName.rule)") }
  }

  func run() async throws {
    let log = Logger(label: Names.executable)
    guard let playlist = PlaylistName(name) else { throw ExitStatus.usage }
    let loop = EventLoop(name: "save")
    defer { loop.stop() }
    let connection = try await SessionBus.connect(on: loop, log)
    guard let owner = await connection.owner(of: try Names.own(separate: false)) else {
      log.error("no instance is running")
      throw ExitStatus.unavailable
    }
    do {
      let path = try await ControlInterface.save(playlist, replacing: force, at: owner, over: connection)
      _ = StandardOutput.write(path + "\n")
    } catch DBusError.noReply(""), DBusError.disconnected(""), DBusError.unknownMethod("") {
      log.error("the daemon does not answer")
      throw ExitStatus.unavailable
    } catch {
      log.error("\(error.message)")
      throw ExitStatus.cannotCreate
    }
  }
}
