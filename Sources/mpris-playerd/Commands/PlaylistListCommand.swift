import ArgumentParser

/// `mpris-playerd playlist [list]`.
struct PlaylistListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the saved playlists by name.")

  @OptionGroup var target: InstanceOption

  func run() async throws {
    try await target.withInstance { instance in
      let names = try await instance.playlists()
      _ = StandardOutput.write(names.map { $0.withoutControls + "\n" }.joined())
    }
  }
}
