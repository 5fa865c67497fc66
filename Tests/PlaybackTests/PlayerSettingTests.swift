import Testing

@testable import Playback

/// A setting of a player: the change, and its value in the property and in the snapshot.
private struct Setting: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let isSet: @Sendable (Player) -> Bool
  let set: @Sendable (Player) -> Void

  /// Creates the case of a property; `shown` is its value in a snapshot, nil if a snapshot does not contain it.
  init<Value: Equatable & Sendable>(
    _ description: String, _ property: any ReferenceWritableKeyPath<Player, Value> & Sendable, _ value: Value,
    _ shown: (@Sendable (Player.Snapshot) -> Value)?
  ) {
    testDescription = description
    isSet = { player in
      player[keyPath: property] == value && (shown.map { $0(player.snapshot) == value } ?? true)
    }
    set = { $0[keyPath: property] = value }
  }
}

@Suite("Settings of a player") struct PlayerSettingTests {
  private static let settings: [Setting] = [
    Setting("volume", \.volume, 0.5) { $0.volume },
    Setting("isMuted", \.isMuted, true) { $0.isMuted },
    Setting("rate", \.rate, 2) { $0.rate },
    Setting("defaultRate", \.defaultRate, 1.5) { $0.defaultRate },
    Setting("loop", \.loop, .playlist) { $0.loop },
    Setting("isShuffled", \.isShuffled, true) { $0.isShuffled },
    Setting("actionAtItemEnd", \.actionAtItemEnd, .pause) { $0.actionAtItemEnd },
    Setting("audioOutput", \.audioOutput, output) { $0.audioOutput },
    Setting("crossfade", \.crossfade, .seconds(6)) { $0.crossfade.length },
    Setting("crossfadeCurve", \.crossfadeCurve, .linear) { $0.crossfade.curve },
    Setting("crossfadeOnSkip", \.crossfadeOnSkip, .seconds(1)) { $0.crossfade.skipLength },
    Setting("automaticallyWaitsToMinimizeStalling", \.automaticallyWaitsToMinimizeStalling, false) {
      $0.automaticallyWaitsToMinimizeStalling
    },
    Setting("preferredForwardBufferDuration", \.preferredForwardBufferDuration, .seconds(9)) {
      $0.preferredForwardBufferDuration
    },
    Setting("preferredAudioLanguages", \.preferredAudioLanguages, ["de"]) { $0.preferredAudioLanguages },
    Setting("networkTimeout", \.networkTimeout, .seconds(7), nil),
  ]

  private static let output = AudioOutput(id: "a", name: "A", isDefault: false, sinkDescription: "fakesink")

  @Test("A setting has its new value in the property and in the snapshot when the setter returns", arguments: settings)
  private func set(setting: Setting) async {
    let player = ScriptedEngine.player()
    player.replaceQueue(with: [Player.Item(uri: "file:///a"), Player.Item(uri: "file:///b")])
    #expect(!setting.isSet(player))
    setting.set(player)
    #expect(setting.isSet(player))
    await player.close()
    #expect(setting.isSet(player))
  }

  @Test("Setting a closed player does nothing", arguments: settings)
  private func closed(setting: Setting) async {
    let player = ScriptedEngine.player()
    await player.close()
    setting.set(player)
    #expect(!setting.isSet(player))
  }

  @Test("Values beyond the limits are clamped or ignored by the properties, too")
  func limits() async {
    let player = ScriptedEngine.player()
    player.defaultRate = 9
    #expect(player.defaultRate == 4)
    player.defaultRate = .nan
    #expect(player.defaultRate == 4)
    player.defaultRate = nil
    #expect(player.defaultRate == nil)
    player.networkTimeout = .zero
    #expect(player.networkTimeout == .milliseconds(100))
    player.preferredForwardBufferDuration = .zero
    #expect(player.preferredForwardBufferDuration == .seconds(1))
    player.preferredForwardBufferDuration = nil
    #expect(player.preferredForwardBufferDuration == nil)
    await player.close()
  }

  @Test("An async function can seek without waiting, with and without a tolerance")
  func unawaitedSeek() async {
    let player = ScriptedEngine.player()
    player.replaceQueue(with: [Player.Item(uri: "file:///a")])
    player.load()
    player.seek(to: .seconds(5))
    #expect(player.snapshot.position == .seconds(5))
    player.seek(to: .seconds(6), within: .infinity)
    #expect(player.snapshot.position == .seconds(6))
    await player.close()
  }

  @Test("The result of a seek can be read during the seek and after it, and more than once", .timeLimit(.minutes(1)))
  func seekResult() async {
    let player = ScriptedEngine.player()
    player.replaceQueue(with: [Player.Item(uri: "file:///a")])
    player.load()
    let (first, second) = (player.seek(to: .seconds(5)), player.seek(to: .seconds(6)))
    #expect(await first.isCompleted == false)
    async let early = second.isCompleted
    await player.close()
    #expect(await early == false)
    let afterEnd = [await first.isCompleted, await second.isCompleted]
    #expect(afterEnd == [false, false])
    #expect(await player.seek(to: .zero).isCompleted == false)
  }

  @Test(
    "A duration in seconds is exact to the nanosecond",
    arguments: [
      (.zero, 0), (.seconds(3), 3), (.milliseconds(-1500), -1.5), (.nanoseconds(1_100_000_001), 1.100_000_001),
      (.seconds(Int64.max), 9_223_372_036.854_775_807),
    ] as [(Duration, Double)])
  func seconds(duration: Duration, seconds: Double) { #expect(duration.seconds == seconds) }
}
