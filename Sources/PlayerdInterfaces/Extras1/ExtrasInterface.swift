package import DBus
import MPRISService

/// The rows of `org.playerd.Extras1`: the features of the daemon that MPRIS lacks.
package struct ExtrasInterface: Sendable {
  package static let name: InterfaceName = "org.playerd.Extras1"

  package static let setSleepTimer = DBusFunction<(Int64, Bool), Void>(
    "SetSleepTimer", in: ["delay_us", "after_track"])
  package static let setABRepeat = DBusFunction<(Int64, Int64), Void>("SetABRepeat", in: ["a_us", "b_us"])
  package static let clearABRepeat = DBusFunction<Void, Void>("ClearABRepeat")
  package static let nextChapter = DBusFunction<Void, Void>("NextChapter")
  package static let previousChapter = DBusFunction<Void, Void>("PreviousChapter")
  package static let refreshAudioOutputs = DBusFunction<Void, Void>("RefreshAudioOutputs")
  package static let setAudioOutput = DBusFunction<String, Void>("SetAudioOutput", in: ["id"])

  package static let stopAfterCurrent = DBusPropertyDeclaration<Bool>("StopAfterCurrent")
  package static let stopAfterTracks = DBusPropertyDeclaration<UInt32>("StopAfterTracks")
  package static let crossfade = DBusPropertyDeclaration<Int64>("Crossfade")
  package static let crossfadeOnSkip = DBusPropertyDeclaration<Int64>("CrossfadeOnSkip")
  package static let consume = DBusPropertyDeclaration<Bool>("Consume")
  package static let pausedFor = DBusPropertyDeclaration<String>("PausedFor")
  package static let book = DBusPropertyDeclaration<String>("Book")
  package static let audioOutputs = DBusPropertyDeclaration<[ExtrasSnapshot.AudioOutput]>("AudioOutputs")

  private let player: any ExtrasPlayer
  private let queue: DBusCallQueue

  /// Creates the rows; the calls that take long are handled by `queue`.
  package init(player: any ExtrasPlayer, on queue: DBusCallQueue) { (self.player, self.queue) = (player, queue) }

  private func perform(_ command: ExtrasCommand) throws(DBusError) {
    try refusing { () throws(MPRISCommandError) in try player.perform(command) }
  }

  // MARK: Rows

  /// The interface, for export beside `org.playerd.Monitor1`.
  package var rows: DBusInterface<ExtrasSnapshot> {
    DBusInterface(Self.name, methods: methods, properties: properties, isUnchanged: { $0 == $1 })
  }

  private var methods: [DBusMethod] {
    [
      DBusMethod(Self.setSleepTimer) { delay, afterTrack throws(DBusError) in
        try perform(.setSleepTimer(ExtrasRules.sleepDelay(microseconds: delay), afterTrack: afterTrack))
      },
      DBusMethod(Self.setABRepeat) { start, end throws(DBusError) in
        try perform(.setABRepeat(ExtrasRules.part(from: start, to: end)))
      },
      DBusMethod(Self.clearABRepeat) { () throws(DBusError) in try perform(.setABRepeat(nil)) },
      DBusMethod(Self.nextChapter) { () throws(DBusError) in try perform(.nextChapter) },
      DBusMethod(Self.previousChapter) { () throws(DBusError) in try perform(.previousChapter) },
      DBusMethod(Self.refreshAudioOutputs) { () throws(DBusError) in try perform(.refreshAudioOutputs) },
      DBusMethod(Self.setAudioOutput, on: queue) { id async throws(DBusError) in
        guard await player.setAudioOutput(try ExtrasRules.outputID(id)) else {
          throw .invalidArguments("the output device “\(id)” does not exist")
        }
      },
    ]
  }

  private var properties: [DBusProperty<ExtrasSnapshot>] {
    [
      DBusProperty(
        Self.stopAfterCurrent, get: { $0.stopsAfterCurrent },
        set: { stops, _ throws(DBusError) in try perform(.setStopAfterTracks(stops ? 1 : 0)) }),
      DBusProperty(
        Self.stopAfterTracks, get: { UInt32(clamping: $0.stopsAfterTracks) },
        set: { count, _ throws(DBusError) in
          try perform(.setStopAfterTracks(ExtrasRules.tracksBeforeStop(count)))
        }),
      DBusProperty("SleepTimerDeadline", "x") { .int64($0.sleepDeadline ?? 0) },
      DBusProperty("SleepTimerAfterTrack", "b") { .boolean($0.sleepsAfterTrack) },
      DBusProperty("ABRepeat", "(xx)") { snapshot in
        let part = snapshot.abRepeat
        return .structure([.int64(part?.lowerBound.microseconds ?? -1), .int64(part?.upperBound.microseconds ?? -1)])
      },
      DBusProperty(Self.audioOutputs, get: { $0.audioOutputs }),
      DBusProperty("AudioOutput", "s") { .string($0.audioOutput) },
      DBusProperty(
        Self.crossfade, get: { $0.crossfade.microseconds },
        set: { length, _ throws(DBusError) in
          try perform(.setCrossfade(ExtrasRules.crossfade(length, atMost: ExtrasRules.longestCrossfade)))
        }),
      DBusProperty(
        Self.crossfadeOnSkip, get: { $0.crossfadeOnSkip.microseconds },
        set: { length, _ throws(DBusError) in
          try perform(.setCrossfadeOnSkip(ExtrasRules.crossfade(length, atMost: ExtrasRules.longestCrossfadeOnSkip)))
        }),
      DBusProperty(
        Self.consume, get: { $0.consumes }, set: { isOn, _ throws(DBusError) in try perform(.setConsume(isOn)) }),
      DBusProperty(Self.pausedFor, get: { $0.pausedFor }),
      DBusProperty(Self.book, get: { $0.book }),
    ]
  }
}

/// Checks the arguments; invalid values throw `InvalidArgs`.
package enum ExtrasRules {
  /// The longest delay of the sleep timer.
  static let longestSleep = Duration.seconds(7 * 24 * 60 * 60)
  /// The shortest range for A-B repeat; a shorter range is only audible as noise.
  package static let shortestPart = Duration.milliseconds(100)
  static let longestID = 1024
  package static let mostTracksBeforeStop: UInt32 = 10_000
  package static let longestCrossfade = Duration.seconds(15)
  package static let longestCrossfadeOnSkip = Duration.seconds(5)

  static func tracksBeforeStop(_ count: UInt32) throws(DBusError) -> Int {
    guard count <= mostTracksBeforeStop else {
      throw .invalidArguments("the number of tracks is not between 0 and \(mostTracksBeforeStop)")
    }
    return Int(count)
  }

  static func crossfade(_ microseconds: Int64, atMost limit: Duration) throws(DBusError) -> Duration {
    let length = Duration.microseconds(microseconds)
    guard length >= .zero, length <= limit else {
      throw .invalidArguments("the crossfade is not between 0 and \(Int(limit / .seconds(1))) s")
    }
    return length
  }

  /// Returns the delay until the timer expires; nil for 0, which turns the timer off.
  static func sleepDelay(microseconds: Int64) throws(DBusError) -> Duration? {
    let delay = Duration.microseconds(microseconds)
    guard delay >= .zero, delay <= longestSleep else {
      throw .invalidArguments("the delay is not between 0 and \(Int(longestSleep / .seconds(86_400))) days")
    }
    return delay == .zero ? nil : delay
  }

  static func part(from start: Int64, to end: Int64) throws(DBusError) -> Range<Duration> {
    guard start >= 0, end > start else { throw .invalidArguments("the end of the part is not after its start") }
    let part = Duration.microseconds(start)..<Duration.microseconds(end)
    guard part.upperBound - part.lowerBound >= shortestPart else {
      throw .invalidArguments("the part is shorter than \(shortestPart / .seconds(1)) s")
    }
    return part
  }

  static func outputID(_ id: String) throws(DBusError) -> String {
    guard id.utf8.count <= longestID else {
      throw .invalidArguments("an id of \(id.utf8.count) bytes is longer than \(longestID)")
    }
    return id
  }
}
