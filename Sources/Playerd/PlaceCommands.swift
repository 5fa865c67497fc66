import ArgumentParser
import DBus
import PlayerdClient
import PlayerdInterfaces
import PlayerdStorage
import PlayerdSystem

struct PlacesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places", abstract: "List or forget the places in long files and books.",
    discussion: """
      A file of 20 minutes or more continues where it was left. So does a book as a whole: a folder that is opened again, or a \
      playlist of its files, continues at the file and the place where it was left. A folder is a book if its tracks have a genre \
      of spoken words, such as Audiobook or Podcast, or the extension m4b, if all of them are long, or if it is in a folder of the \
      configuration key books. Places follow files that are renamed, moved or retagged. “--start 0” starts a book over.
      """,
    subcommands: [PlaceListCommand.self, PlaceForgetCommand.self], defaultSubcommand: PlaceListCommand.self)
}

/// `mpris-playerd places [list]`.
struct PlaceListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the places, the most recent first.")

  @Flag(help: "Print a JSON object for each place, one per line.")
  var json = false

  @OptionGroup var unknown: UnknownSubcommand
  @OptionGroup var target: InstanceOption

  func run() async throws {
    try unknown.reject(in: PlacesCommand.self)
    let running = try await target.withInstanceIfRunning { try await $0.control.call(ControlInterface.getPlaces) }
    let places = running ?? Self.savedPlaces
    let width = "\(places.count)".count
    let lines = places.enumerated().map { index, place in
      json ? place.json : place.line(number: index + 1, width: width).withoutControls
    }
    _ = StandardOutput.write(lines.map { $0 + "\n" }.joined())
  }

  /// The places without a running instance.
  private static var savedPlaces: [SavedPlace] {
    guard let folder = SessionStore.userFolder, let positions = try? ResumePositions.read(from: folder) else {
      return []
    }
    return positions.saved(at: LocalFileSystem().now)
  }
}

/// `mpris-playerd places forget PLACE…`.
struct PlaceForgetCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Forget places: the files and folders then begin at their start.",
    discussion: """
      A folder stands for all places in it. Without a running instance, the command starts one with the last session, which does \
      not play.
      """, aliases: ["remove", "rm"])

  @Argument(
    help: ArgumentHelp("Numbers of the list, files, folders, or all.", valueName: "place"), completion: .file())
  var places: [String]

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if places.contains("") { throw ValidationError("an empty argument is not a place") }
  }

  func run() async throws {
    try await options.perform(start: .session) { try await perform(on: $0) }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    let saved = try await instance.control.call(ControlInterface.getPlaces)
    guard !saved.isEmpty else { return "no place is kept" }
    var uris: [String] = []
    for text in places {
      if text == "all" {
        uris += saved.map(\.uri)
      } else if let number = Int(text) {
        guard (1...saved.count).contains(number) else {
          throw instance.failure("place \(number) does not exist; the list has \(counted(saved.count, "place"))")
        }
        uris.append(saved[number - 1].uri)
      } else {
        uris.append(FileURI.absolute(from: text))
      }
    }
    let count = try await instance.control.call(ControlInterface.forgetPlaces, uris)
    guard count > 0 else {
      throw instance.failure("no place is kept in \(places.map(\.excerpt).joined(separator: ", "))")
    }
    return "forgot \(counted(count, "place"))"
  }
}
