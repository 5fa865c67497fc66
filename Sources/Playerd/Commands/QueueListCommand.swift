import ArgumentParser
import DBus
import PlayerdInterfaces

/// `mpris-playerd queue [list]`.
struct QueueListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the queue; an arrow marks the current track, an exclamation mark a failed one.")

  @Flag(help: "Print a JSON object for each track, one per line.")
  var json = false

  @OptionGroup var target: InstanceOption

  func run() async throws {
    try await target.withInstance { instance in
      let tracks = try await QueuePage.readAll(from: instance.control)
      let width = "\(tracks.count)".count
      let lines = tracks.map { json ? $0.json : $0.line(width: width).withoutControls }
      if lines.isEmpty, !json { throw instance.emptyQueue() }
      _ = StandardOutput.write(lines.map { $0 + "\n" }.joined())
    }
  }
}
