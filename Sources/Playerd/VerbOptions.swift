import ArgumentParser
import DBus
import Logging
import MPRISService
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdService
import PlayerdSystem

/// A command that sends a request to the addressed instance, and prints the line that ``perform(on:)`` returns.
protocol VerbCommand: AsyncParsableCommand {
  var options: VerbOptions { get }

  func perform(on instance: RunningInstance) async throws -> String
}

extension VerbCommand {
  func run() async throws { try await options.perform { instance in try await perform(on: instance) } }
}

/// The options of the commands for a running instance.
struct VerbOptions: ParsableArguments {
  @OptionGroup var target: InstanceOption

  @Flag(name: .shortAndLong, help: "Print nothing on success.")
  var quiet = false

  /// Sends a request to the addressed instance and prints the line that it returns.
  func perform(
    start: InstanceStart.Condition = .never, check: (Configuration) throws -> Void = { _ in },
    _ body: (RunningInstance) async throws -> String
  ) async throws {
    let line = try await target.withInstance(start: start, check: check) { instance in
      let line = try await body(instance)
      if !quiet { await instance.warnOfUpgrade() }
      return line
    }
    if !quiet { _ = StandardOutput.write(line.withoutControls + "\n") }
  }

  /// Resolves items, which must exist, for a command to an instance.
  ///
  /// - Throws: Exit status 64 for a mistyped command among them, or 64 or 66 if none exists; the reasons have been logged.
  static func items(_ arguments: [String], _ log: Logger) throws -> ItemArguments {
    let items = ItemArguments(arguments, playlistFolder: ItemArguments.userPlaylistFolder)
    if let mistake = items.unknownCommand {
      log.error("\(mistake.message)")
      throw ExitStatus.usage
    }
    items.logRejections(log)
    if items.uris.isEmpty { throw items.status }
    return items
  }

  /// Sends items, which must exist, to the addressed instance, and prints the result; starts the instance if none runs.
  func enqueue(_ arguments: [String], _ placement: OpenRequest.Placement) async throws {
    // Nothing is started for items that do not exist.
    let items = try Self.items(arguments, Logger(label: Names.executable))
    try await target.withInstance(start: .always) { instance in
      let request = OpenRequest(uris: items.uris, placement: placement)
      try await CommandLineRequest(request: request, rejectionCount: items.rejections.count, isQuiet: quiet)
        .send(to: instance)
    }
  }

  /// Calls a method of the MPRIS player without arguments, and prints the state that follows.
  func transport(_ method: DBusMethodDeclaration) async throws {
    try await transport { instance, _ in try await instance.player.perform(method) }
  }

  /// Plays a track of the queue, and prints the state that follows; a number beyond the queue is a word.
  func jump(to track: TrackPlace) async throws {
    try await transport(start: .session) { instance, status in
      if case .number(let number) = track, number.value(in: status.queueCount) > max(1, status.queueCount) {
        let value = number.value(in: status.queueCount)
        let (found, revision) = try await instance.findOne(
          withNumbers: SearchWords(["\(value)"]), for: "jump", number: value)
        return try await instance.control.call(
          ControlInterface.playListedTrack, revision, UInt32(clamping: found.index))
      }
      let number = try instance.number(of: track, from: (status.queueIndex ?? -1) + 1, isWithin: status.queueCount)
      try await instance.control.call(ControlInterface.playTrack, UInt32(clamping: number - 1))
    }
  }

  /// Sends a transport command and prints the state that follows.
  ///
  /// - Parameters:
  ///   - start: Whether to start the main instance with the last session if none is running; it then plays after the
  ///     command.
  ///   - body: The command.
  /// - Throws: Exit status 66 for an empty queue; the reason has been logged.
  func transport(
    start: InstanceStart.Condition = .never, _ body: (RunningInstance, PlayerStatus) async throws -> Void
  ) async throws {
    try await perform(start: start) { instance in
      let status = try await instance.status()
      guard status.isActive else { throw instance.emptyQueue() }
      try await body(instance, status)
      if instance.isNew { try await instance.player.perform(PlayerInterface.play) }
      return try await instance.transportLine()
    }
  }
}
