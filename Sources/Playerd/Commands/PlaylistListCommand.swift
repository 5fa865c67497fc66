import ArgumentParser
import DBus
import PlayerdInterfaces

/// `mpris-playerd playlist [list]`.
struct PlaylistListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the saved playlists by name.")

  @OptionGroup var target: InstanceOption

  func run() async throws {
    try await target.withInstance { instance in
      let names = try await instance.control.call(ControlInterface.getPlaylists)
      _ = StandardOutput.write(names.map { $0.withoutControls + "\n" }.joined())
    }
  }
}
