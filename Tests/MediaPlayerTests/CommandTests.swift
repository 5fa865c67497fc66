import DBus
import MPRISService
import TestSupport
import Testing

@testable import MediaPlayer

/// Tests of the commands that clients send.
@Suite(.timeLimit(.minutes(2))) struct CommandTests {
  /// The events of handlers, as texts.
  private final class Calls: Sendable {
    let log = EventLog<String>()

    @MainActor
    func record(_ command: MPRemoteCommand, _ name: String, _ status: MPRemoteCommandHandlerStatus = .success) {
      command.addTarget { [log] event in
        MainActor.assertIsolated()
        #expect(event.command === command)
        log.append([name, Self.text(of: event)].compactMap { $0 }.joined(separator: " "))
        return status
      }
    }

    private static func text(of event: MPRemoteCommandEvent) -> String? {
      switch event {
      case let event as MPChangePlaybackPositionCommandEvent: "\(event.positionTime)"
      case let event as MPChangePlaybackRateCommandEvent: "\(event.playbackRate)"
      case let event as MPSkipIntervalCommandEvent: "\(event.interval)"
      case let event as MPChangeRepeatModeCommandEvent: "\(event.repeatType)"
      case let event as MPChangeShuffleModeCommandEvent: "\(event.shuffleType)"
      default: nil
      }
    }
  }

  @Test("Each request reaches the handler of its command")
  func requests() async throws {
    try await NowPlayingTest.playing { test in
      let (calls, commands) = (Calls(), test.commands)
      await test.turn {
        for command in [commands.playCommand, commands.pauseCommand] { command.removeTarget(nil) }
        calls.record(commands.playCommand, "play")
        calls.record(commands.pauseCommand, "pause")
        calls.record(commands.togglePlayPauseCommand, "toggle")
        calls.record(commands.stopCommand, "stop")
        calls.record(commands.nextTrackCommand, "next")
        calls.record(commands.previousTrackCommand, "previous")
        calls.record(commands.changePlaybackPositionCommand, "position")
        calls.record(commands.changePlaybackRateCommand, "rate")
        calls.record(commands.changeRepeatModeCommand, "repeat")
        calls.record(commands.changeShuffleModeCommand, "shuffle")
        commands.changePlaybackRateCommand.supportedPlaybackRates = [0.5, 1, 2]
      }
      try await test.settle()
      for member: MemberName in ["Pause", "PlayPause", "Stop", "Next", "Previous"] { try await test.call(member) }
      await test.turn { test.center.playbackState = .paused }
      try await test.settle()
      try await test.call("Play")
      let track = try await test.metadata()["mpris:trackid"]?.asObjectPath
      try await test.call("SetPosition", .objectPath(try #require(track)), .int64(70_500_000))
      try await test.call("Seek", .int64(-5_000_000))
      try await test.set("Rate", to: .double(1.8))
      try await test.set("LoopStatus", to: .string("Track"))
      try await test.set("LoopStatus", to: .string("Playlist"))
      try await test.set("Shuffle", to: .boolean(true))
      let position = test.service.snapshot().position / .seconds(1)
      #expect(
        calls.log.elements == [
          "pause", "toggle", "stop", "next", "previous", "play", "position 70.5", "position \(position - 5)",
          "rate 2.0", "repeat one", "repeat all", "shuffle items",
        ])
    }
  }

  @Test("The abilities follow the commands that are enabled and have a handler")
  func abilities() async throws {
    try await NowPlayingTest.playing { test in
      let commands = test.commands
      let rows: [(MPRemoteCommand, Set<String>)] = [
        (commands.togglePlayPauseCommand, ["CanPlay", "CanPause"]), (commands.nextTrackCommand, ["CanGoNext"]),
        (commands.previousTrackCommand, ["CanGoPrevious"]), (commands.changePlaybackPositionCommand, ["CanSeek"]),
        (commands.skipBackwardCommand, ["CanSeek"]), (commands.changeRepeatModeCommand, ["LoopStatus"]),
        (commands.changeShuffleModeCommand, ["Shuffle"]),
        (commands.changePlaybackRateCommand, ["MinimumRate", "MaximumRate"]),
      ]
      await test.turn {
        commands.playCommand.isEnabled = false
        commands.pauseCommand.isEnabled = false
      }
      try await test.settle()
      #expect(try await test.properties()["CanPlay"] == .boolean(false))
      for (command, properties) in rows {
        let added = try await test.signals { command.addTarget { _ in .success } }
        #expect(added.map { $0.changedProperties.map { Set($0.values.keys) } } == [properties])
        let disabled = try await test.signals { command.isEnabled = false }
        let removed = try await test.signals { command.removeTarget(nil) }
        #expect(disabled.count == 1 && removed.isEmpty)
        let change = disabled.first?.changedProperties
        #expect(change.map { Set($0.values.keys).union($0.invalidated) } == properties)
      }
    }
  }

  @Test("The modes and the volume exist only while the program offers them")
  func optionalProperties() async throws {
    try await NowPlayingTest.playing { test in
      var properties = try await test.properties()
      #expect(properties["LoopStatus"] == nil && properties["Shuffle"] == nil && properties["Volume"] == nil)
      let error = try await test.refusal { try await test.set("Shuffle", to: .boolean(true)) }
      #expect(error.name == "org.freedesktop.DBus.Error.UnknownProperty")
      let signals = try await test.signals {
        test.commands.changeRepeatModeCommand.addTarget { _ in .success }
        test.commands.changeShuffleModeCommand.addTarget { _ in .success }
        test.commands.changeRepeatModeCommand.currentRepeatType = .all
        test.commands.changeShuffleModeCommand.currentShuffleType = .collections
      }
      #expect(
        signals.map { $0.changedProperties?.values }
          == [["LoopStatus": .string("Playlist"), "Shuffle": .boolean(true)]])
      properties = try await test.properties()
      #expect(properties["LoopStatus"] == .string("Playlist") && properties["Volume"] == nil)
      let end = try await test.signals { test.commands.changeShuffleModeCommand.removeTarget(nil) }
      #expect(end.map { $0.changedProperties?.invalidated } == [["Shuffle"]])
    }
  }

  @Test(
    "The status of a handler is the reply",
    arguments: [
      (MPRemoteCommandHandlerStatus.success, nil as String?), (.commandFailed, "could not carry out"),
      (.noSuchContent, "does not exist"), (.noActionableNowPlayingItem, "no item"), (.deviceNotFound, "device"),
    ])
  func replies(status: MPRemoteCommandHandlerStatus, text: String?) async throws {
    try await NowPlayingTest.playing { test in
      await test.turn {
        test.commands.nextTrackCommand.addTarget { _ in status }
        test.commands.changeShuffleModeCommand.addTarget { _ in status }
      }
      try await test.settle()
      let requests =
        [{ try await test.call("Next") }, { try await test.set("Shuffle", to: .boolean(true)) }]
        as [() async throws -> Any]
      for request in requests {
        if let text {
          let error = try await test.refusal { _ = try await request() }
          #expect(error.name == "org.freedesktop.DBus.Error.Failed" && error.message.contains(text))
        } else {
          _ = try await request()
        }
      }
    }
  }

  @Test("A handler's changes are published before the reply")
  func order() async throws {
    try await NowPlayingTest.playing { test in
      await test.turn {
        test.commands.pauseCommand.addTarget { _ in
          test.center.playbackState = .paused
          return .success
        }
      }
      let status = await withCheckedContinuation { result in
        test.service.perform(.pause) { _ in result.resume(returning: test.service.snapshot().status) }
      }
      #expect(status == .paused)
    }
  }

  @Test("Without a command for the position, a seek skips by its interval")
  func skips() async throws {
    try await NowPlayingTest.playing { test in
      let calls = Calls()
      await test.turn {
        calls.record(test.commands.skipForwardCommand, "forward")
        calls.record(test.commands.skipBackwardCommand, "backward")
      }
      try await test.settle()
      try await test.call("Seek", .int64(15_000_000))
      try await test.call("Seek", .int64(-10_000_000))
      #expect(calls.log.elements == ["forward 15.0", "backward 10.0"])
    }
  }

  @Test("A missing toggle is replaced by play or pause, and a missing stop by pause")
  func substitutes() async throws {
    try await NowPlayingTest.playing { test in
      let calls = Calls()
      await test.turn {
        for command in [test.commands.playCommand, test.commands.pauseCommand] { command.removeTarget(nil) }
        calls.record(test.commands.playCommand, "play")
        calls.record(test.commands.pauseCommand, "pause")
      }
      try await test.settle()
      try await test.call("PlayPause")
      try await test.call("Stop")
      await test.turn { test.center.playbackState = .paused }
      try await test.settle()
      try await test.call("PlayPause")
      #expect(calls.log.elements == ["pause", "pause", "play"])
    }
  }

  @Test("A request without a handler is an error or, if a property excludes it, has no effect")
  func unsupported() async throws {
    try await NowPlayingTest.playing { test in
      let error = try await test.refusal { try await test.call("OpenUri", .string("file:///music/a.flac")) }
      #expect(error.name == "org.freedesktop.DBus.Error.NotSupported")
      try await test.call("Next")
      try await test.call("Seek", .int64(5_000_000))
    }
  }

  @Test("A removed handler is not called, and the others of its command are called in order")
  func removal() async throws {
    try await NowPlayingTest.playing { test in
      let log = EventLog<Int>()
      let command = test.commands.nextTrackCommand
      await test.turn {
        let tokens = (1...3).map { number in
          command.addTarget { _ in
            log.append(number)
            return .success
          }
        }
        command.removeTarget(tokens[1])
        command.removeTarget(log)
      }
      try await test.settle()
      try await test.call("Next")
      #expect(log.elements == [1, 3])
    }
  }

  @Test("playerctl controls the program", .enabled(if: Tool.areAvailable("playerctl"), "playerctl is not installed"))
  func playerctl() async throws {
    try await NowPlayingTest.playing { test in
      let calls = Calls()
      await test.turn {
        calls.record(test.commands.nextTrackCommand, "next")
        calls.record(test.commands.changePlaybackPositionCommand, "position")
      }
      try await test.settle()
      for arguments in [["next"], ["position", "20"]] {
        let result = try await TestSupport.run(
          ["playerctl", "-p", "test_player"] + arguments, environment: test.bus.environment)
        #expect(result.succeeded, "\(result.error)")
      }
      #expect(calls.log.elements == ["next", "position 20.0"])
      let title = try await TestSupport.run(
        ["playerctl", "-p", "test_player", "metadata", "title"], environment: test.bus.environment)
      #expect(title.output == "Song\n")
    }
  }
}
