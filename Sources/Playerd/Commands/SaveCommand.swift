import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

/// `mpris-playerd save NAME`.
struct SaveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the queue as a playlist.",
    discussion: """
      The running instance writes the playlist to its playlist folder; clients can then find it. The command prints the \
      path of the file.
      """)

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"))
  var name: String

  @Flag(help: "Replace an existing playlist of this name.")
  var force = false

  @OptionGroup var target: InstanceOption

  func validate() throws {
    guard PlaylistName(name) != nil else { throw ValidationError("“\(name)”: \(PlaylistName.rule)") }
  }

  func run() async throws {
    guard let playlist = PlaylistName(name) else { throw ExitStatus.usage }
    let path = try await target.withInstance { instance in
      do throws(DBusError) {
        return try await instance.control.call(ControlInterface.save, playlist.text, force)
      } catch {
        guard !error.isUnreachable else { throw error }
        instance.log.error("\(error.message)")
        throw ExitStatus.cannotCreate
      }
    }
    _ = StandardOutput.write(path.withoutControls + "\n")
  }
}
