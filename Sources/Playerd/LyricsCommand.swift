import ArgumentParser
import DBus
import EventLoop
import Glibc
import Logging
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

/// `mpris-playerd lyrics`: the lyrics of the current track as it plays.
struct LyricsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lyrics", abstract: "Show the lyrics of the current track as it plays.",
    discussion: """
      The lyrics need times: those of a file with the same name and the extension lrc, such as song.lrc or song.flac.lrc, or of the tags. If no daemon is \
      running, the command waits for one. Ctrl-C ends it. On a terminal, it shows the lines around the current one, and has the keys of “watch”; else it prints \
      each line when it begins.
      """)

  @Flag(help: "Print each line when it begins, also on a terminal; an empty one when none applies.")
  var line = false

  @Flag(help: "Print a JSON object when a line begins, with its times and its neighbours.")
  var json = false

  @OptionGroup var target: InstanceOption

  func validate() throws {
    if line, json { throw ValidationError("--line and --json cannot be combined") }
  }

  func run() async throws {
    let log = Logger(label: Names.executable)
    let terminal = line || json ? nil : Terminal()
    let signals = await ProcessSignals.trap(terminal == nil ? WatchCommand.signals : ScreenSession.signals)
    let loop = PollLoop(name: "lyrics")
    defer { loop.stop() }
    let connection = try await DBusConnection.openSessionBus(on: loop, log)
    var instance = InstanceName.main
    if let name = target.instance { instance = try await RunningInstance.find(name, on: connection, log).name }
    let feed = WatchFeed(connection: connection, instance: instance, interval: nil, places: [])
    if let terminal {
      var session = ScreenSession(terminal, feed, on: loop, showsLyrics: true, log: log)
      if await session.run(until: signals) == .failed { throw ExitStatus.unavailable }
      return
    }
    let status = await feed.run(until: signals, log) { [isJSON = json] in
      var output = LyricsOutput(isJSON: isJSON)
      var follower = LyricsFollower(connection: connection, instance: feed.instance)
      return await feed.run(log) { update in
        if case .absent = update { log.notice("waiting for a daemon") }
        await follower.take(update)
        return output.show(follower.sheet)
      }
    }
    if status != .success { throw status }
  }
}

/// One line of output for each line of lyrics.
struct LyricsOutput {
  let isJSON: Bool
  /// The last line that was shown; nil before any.
  private var shown: LyricsSheet?

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Prints the current line if it is another one; returns false if the reader has closed the stream.
  mutating func show(_ sheet: LyricsSheet) -> Bool {
    guard let text = text(of: sheet) else { return true }
    return StandardOutput.write(text + "\n")
  }

  /// Returns the output for a sheet; nil if the current line was shown last.
  mutating func text(of sheet: LyricsSheet) -> String? {
    let old = shown ?? LyricsSheet()
    shown = sheet
    if isJSON { return sheet.json == old.json ? nil : sheet.json }
    // A line that is sung twice is printed twice.
    let isSame = sheet.index == old.index && sheet.current == old.current
    return isSame || sheet.text.isEmpty && old.text.isEmpty ? nil : sheet.text
  }
}
