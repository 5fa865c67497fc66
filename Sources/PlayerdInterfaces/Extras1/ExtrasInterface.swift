public import DBus
import MPRISService
import Synchronization

/// Serves `org.playerd.Extras1`: its rows, and the player that they ask once there is one.
///
/// What comes before the player is kept for it, so that a call that starts the daemon is not lost.
public final class ExtrasInterface: Sendable {
  package static let name: InterfaceName = "org.playerd.Extras1"

  static let setSleepTimer = MethodDeclaration("SetSleepTimer", in: ["delay_us": "x", "after_track": "b"])
  static let setABRepeat = MethodDeclaration("SetABRepeat", in: ["a_us": "x", "b_us": "x"])
  static let clearABRepeat = MethodDeclaration("ClearABRepeat")
  static let nextChapter = MethodDeclaration("NextChapter")
  static let previousChapter = MethodDeclaration("PreviousChapter")
  static let stopAfterCurrent = Property<ExtrasSnapshot>("StopAfterCurrent", "b") { .boolean($0.stopsAfterCurrent) }

  /// The most calls that wait for a player.
  private static let mostEarly = 64

  private enum Receiver {
    case none(early: [ExtrasCommand])
    case player(any ExtrasPlayer)
  }

  private let receiver = Mutex(Receiver.none(early: []))

  /// Makes an interface without a player.
  public init() {}

  /// Lets the player have what was asked, and will be.
  public func attach(_ player: any ExtrasPlayer) {
    let early = receiver.withLock { receiver -> [ExtrasCommand] in
      defer { receiver = .player(player) }
      return if case .none(let early) = receiver { early } else { [] }
    }
    // Nobody waits for an answer any more.
    for command in early { try? player.perform(command) }
  }

  private func perform(_ command: ExtrasCommand) throws(DBusError) {
    let (player, isFull) = receiver.withLock { receiver -> ((any ExtrasPlayer)?, Bool) in
      switch receiver {
      case .player(let player): return (player, false)
      case .none(let early) where early.count >= Self.mostEarly: return (nil, true)
      case .none(let early):
        receiver = .none(early: early + [command])
        return (nil, false)
      }
    }
    guard !isFull else { throw .limitsExceeded("\(Self.mostEarly) calls wait for the player already") }
    if let player { try refusing { () throws(CommandError) in try player.perform(command) } }
  }

  // MARK: Rows

  /// What D-Bus is told of the interface, to be exported beside `org.playerd.Monitor1`.
  public var rows: Interface<ExtrasSnapshot> {
    Interface(Self.name, methods: methods, properties: properties, isUnchanged: { $0 == $1 })
  }

  private var methods: [Method] {
    [
      method(Self.setSleepTimer) { arguments throws(DBusError) in
        .setSleepTimer(
          try ExtrasRules.sleepDelay(microseconds: arguments.first?.asInt64 ?? 0),
          afterTrack: arguments.last?.asBool ?? false)
      },
      method(Self.setABRepeat) { arguments throws(DBusError) in
        .setABRepeat(try ExtrasRules.part(from: arguments.first?.asInt64 ?? 0, to: arguments.last?.asInt64 ?? 0))
      },
      method(Self.clearABRepeat) { _ in .setABRepeat(nil) },
      method(Self.nextChapter) { _ in .nextChapter },
      method(Self.previousChapter) { _ in .previousChapter },
      method(MethodDeclaration("RefreshAudioOutputs")) { _ in .refreshAudioOutputs },
      method(MethodDeclaration("SetAudioOutput", in: ["id": "s"])) { arguments throws(DBusError) in
        .setAudioOutput(try ExtrasRules.outputID(arguments.first?.asString ?? ""))
      },
    ]
  }

  private func method(
    _ declaration: MethodDeclaration, command: @escaping @Sendable ([Value]) throws(DBusError) -> ExtrasCommand
  ) -> Method {
    Method(declaration) { [weak self] call throws(DBusError) in
      try self?.perform(command(call.arguments))
      return []
    }
  }

  private var properties: [Property<ExtrasSnapshot>] {
    [
      Self.stopAfterCurrent.writable { [weak self] value, _ throws(DBusError) in
        try self?.perform(.setStopAfterCurrent(value.asBool ?? false))
      },
      Property("SleepTimerDeadline", "x") { .int64($0.sleepDeadline ?? 0) },
      Property("SleepTimerAfterTrack", "b") { .boolean($0.sleepsAfterTrack) },
      Property("ABRepeat", "(xx)") { snapshot in
        let part = snapshot.abRepeat
        return .structure([.int64(part?.lowerBound.microseconds ?? -1), .int64(part?.upperBound.microseconds ?? -1)])
      },
      Property("AudioOutputs", "a(ssb)") { snapshot in
        .array(
          "(ssb)",
          snapshot.audioOutputs.map {
            .structure([.string($0.id), .string($0.name), .boolean($0.isDefault)])
          })
      },
      Property("AudioOutput", "s") { .string($0.audioOutput) },
    ]
  }
}

/// The values that extras may be asked for with; what is wrong is `InvalidArgs`.
enum ExtrasRules {
  /// Nobody sleeps longer.
  static let longestSleep = Duration.seconds(7 * 24 * 60 * 60)
  /// Shorter parts are a noise.
  static let shortestPart = Duration.milliseconds(100)
  static let longestID = 1024

  /// How long until the timer is due; nil for no timer, which is asked for by 0.
  static func sleepDelay(microseconds: Int64) throws(DBusError) -> Duration? {
    let delay = Duration.microseconds(microseconds)
    guard delay >= .zero, delay <= longestSleep else {
      throw .invalidArguments("a delay of \(microseconds) µs is not within 0…\(longestSleep.microseconds)")
    }
    return delay == .zero ? nil : delay
  }

  static func part(from start: Int64, to end: Int64) throws(DBusError) -> Range<Duration> {
    guard start >= 0, end > start else { throw .invalidArguments("\(start) and \(end) are no part of a track") }
    let part = Duration.microseconds(start)..<Duration.microseconds(end)
    guard part.upperBound - part.lowerBound >= shortestPart else {
      throw .invalidArguments("a part is \(shortestPart.microseconds) µs long or more")
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
