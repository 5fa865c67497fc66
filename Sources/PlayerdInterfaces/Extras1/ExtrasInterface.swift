package import DBus
import MPRISService
import Synchronization

/// The server of `org.playerd.Extras1`, which forwards calls to the player.
///
/// Calls that arrive before the player exists are queued for it, so that a call that activates the daemon is not lost.
package final class ExtrasInterface: Sendable {
  package static let name: InterfaceName = "org.playerd.Extras1"

  static let setSleepTimer = DBusMethodDeclaration("SetSleepTimer", in: ["delay_us": "x", "after_track": "b"])
  static let setABRepeat = DBusMethodDeclaration("SetABRepeat", in: ["a_us": "x", "b_us": "x"])
  static let clearABRepeat = DBusMethodDeclaration("ClearABRepeat")
  static let nextChapter = DBusMethodDeclaration("NextChapter")
  static let previousChapter = DBusMethodDeclaration("PreviousChapter")
  static let stopAfterCurrent = DBusPropertyDeclaration<Bool>("StopAfterCurrent")

  /// The limit of calls that wait for a player.
  private static let mostEarly = 64

  private struct State {
    var player: (any ExtrasPlayer)?
    var early: ArraySlice<ExtrasCommand> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Sends the queued commands, and all later ones, to a player.
  package func attach(_ player: any ExtrasPlayer) {
    // Calls that arrive meanwhile are queued behind the earlier ones.
    while let command = state.withLock({ state -> ExtrasCommand? in
      if state.early.isEmpty { state.player = player }
      return state.early.popFirst()
    }) {
      // The caller has already received a reply.
      try? player.perform(command)
    }
  }

  private func perform(_ command: ExtrasCommand) throws(DBusError) {
    let player = try state.withLock { state throws(DBusError) -> (any ExtrasPlayer)? in
      if let player = state.player { return player }
      guard state.early.count < Self.mostEarly else {
        throw .limitsExceeded("\(Self.mostEarly) calls already wait for the player")
      }
      state.early.append(command)
      return nil
    }
    if let player { try refusing { () throws(MPRISCommandError) in try player.perform(command) } }
  }

  // MARK: Rows

  /// The interface, for export beside `org.playerd.Monitor1`.
  package var rows: DBusInterface<ExtrasSnapshot> {
    DBusInterface(Self.name, methods: methods, properties: properties, isUnchanged: { $0 == $1 })
  }

  private var methods: [DBusMethod] {
    [
      DBusMethod(Self.setSleepTimer) { [self] (delay: Int64, afterTrack: Bool) throws(DBusError) in
        try perform(.setSleepTimer(ExtrasRules.sleepDelay(microseconds: delay), afterTrack: afterTrack))
      },
      DBusMethod(Self.setABRepeat) { [self] (start: Int64, end: Int64) throws(DBusError) in
        try perform(.setABRepeat(ExtrasRules.part(from: start, to: end)))
      },
      DBusMethod(Self.clearABRepeat) { [self] () throws(DBusError) in try perform(.setABRepeat(nil)) },
      DBusMethod(Self.nextChapter) { [self] () throws(DBusError) in try perform(.nextChapter) },
      DBusMethod(Self.previousChapter) { [self] () throws(DBusError) in try perform(.previousChapter) },
      DBusMethod(DBusMethodDeclaration("RefreshAudioOutputs")) { [self] () throws(DBusError) in
        try perform(.refreshAudioOutputs)
      },
      DBusMethod(DBusMethodDeclaration("SetAudioOutput", in: ["id": "s"])) { [self] (id: String) throws(DBusError) in
        try perform(.setAudioOutput(ExtrasRules.outputID(id)))
      },
    ]
  }

  private var properties: [DBusProperty<ExtrasSnapshot>] {
    [
      DBusProperty(
        Self.stopAfterCurrent, get: { $0.stopsAfterCurrent },
        set: { [self] stops, _ throws(DBusError) in try perform(.setStopAfterCurrent(stops)) }),
      DBusProperty("SleepTimerDeadline", "x") { .int64($0.sleepDeadline ?? 0) },
      DBusProperty("SleepTimerAfterTrack", "b") { .boolean($0.sleepsAfterTrack) },
      DBusProperty("ABRepeat", "(xx)") { snapshot in
        let part = snapshot.abRepeat
        return .structure([.int64(part?.lowerBound.microseconds ?? -1), .int64(part?.upperBound.microseconds ?? -1)])
      },
      DBusProperty("AudioOutputs", "a(ssb)") { snapshot in
        .array(
          "(ssb)", snapshot.audioOutputs.map { .structure([.string($0.id), .string($0.name), .boolean($0.isDefault)]) })
      },
      DBusProperty("AudioOutput", "s") { .string($0.audioOutput) },
    ]
  }
}

/// Checks of the arguments; invalid values throw `InvalidArgs`.
package enum ExtrasRules {
  /// The longest delay of the sleep timer.
  static let longestSleep = Duration.seconds(7 * 24 * 60 * 60)
  /// The shortest range for A-B repeat; a shorter range is only audible as noise.
  package static let shortestPart = Duration.milliseconds(100)
  static let longestID = 1024

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
