import ArgumentParser
import Logging
import PlayerdInterfaces

/// `mpris-playerd playlist play NAME`.
struct PlaylistPlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Replace the queue with a saved playlist.")

  @Argument(help: ArgumentHelp("The name of the playlist.", valueName: "name"), completion: NameCompletion.playlists)
  var name: String

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.target.withInstance { instance in
      guard let uri = try await instance.control.playlistURI(named: name) else {
        let names = try await instance.control.playlists()
        let hint = Spelling.nearest(to: name, among: names).map { "; did you mean “\($0)”?" } ?? ""
        instance.log.error("the playlist “\(name)” does not exist\(hint)")
        throw ExitStatus.nothingPlayable
      }
      let request = OpenRequest(uris: [uri])
      try await ItemForwarder(request: request, rejectionCount: 0, isQuiet: options.quiet, startOptions: [])
        .send(to: instance)
    }
  }
}
