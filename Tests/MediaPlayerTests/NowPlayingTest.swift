import DBus
import EventLoop
import MPRISService
import Synchronization
import TestSupport
import Testing

@testable import AVFoundation
@testable import MediaPlayer

/// The centers of a program on a private bus, and a client of it.
final class NowPlayingTest: Sendable {
  static let name: BusName = "org.mpris.MediaPlayer2.test_player"

  let service: NowPlayingService
  let activity: PlaybackActivity
  let client: DBusConnection
  let bus: PrivateBus
  /// The folder of the pictures.
  let folder: URL
  /// Each PropertiesChanged and Seeked so far.
  let signals = EventLog<DBusSignalMessage>()
  let clock = Clock()

  /// A clock that the test sets.
  final class Clock: Sendable {
    private let time = Mutex(Duration.seconds(1000))

    var now: Duration { time.withLock { $0 } }

    func advance(by seconds: Double) { time.withLock { $0 += .seconds(seconds) } }
  }

  private init(_ bus: PrivateBus, _ client: DBusConnection, _ folder: URL) {
    (self.bus, self.client, self.folder) = (bus, client, folder)
    activity = PlaybackActivity()
    service = NowPlayingService(
      identity: MPNowPlayingInfoCenter.Identity(name: "Test Player", desktopEntry: "org.example.Test"),
      artwork: ArtworkFiles(in: folder), activity: activity, address: { [address = bus.address] in address },
      now: { [clock] in clock.now })
  }

  var center: MPNowPlayingInfoCenter { service.centers.info }
  var commands: MPRemoteCommandCenter { service.centers.commands }

  /// Runs `body` with the centers of a program that is not on the bus yet.
  static func run(_ body: (NowPlayingTest) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      try await withPrivateBus { bus in
        let loop = PollLoop(name: "client")
        defer { loop.stop() }
        let client = try await DBusConnection.open(address: bus.address, on: loop)
        let folder = URL(fileURLWithPath: directory.file("artwork"))
        let test = NowPlayingTest(bus, client, folder)
        let signals = try await client.signals(from: name, path: MPRISService.path)
        try await withThrowingTaskGroup { group in
          group.addTask { for await signal in signals { test.signals.append(signal) } }
          try await body(test)
          await test.service.end()
          group.cancelAll()
        }
      }
    }
  }

  /// Runs `body` with the centers of a program that shows a song of 180 s, at 10 s, and has handlers for some commands.
  static func playing(_ body: (NowPlayingTest) async throws -> Void) async throws {
    try await run { test in
      await test.turn {
        test.center.nowPlayingInfo = song
        test.commands.playCommand.addTarget { _ in .success }
        test.commands.pauseCommand.addTarget { _ in .success }
      }
      try await test.appears()
      try await body(test)
    }
  }

  static var song: [String: Any] {
    [
      MPMediaItemPropertyTitle: "Song", MPMediaItemPropertyPlaybackDuration: 180.0,
      MPNowPlayingInfoPropertyElapsedPlaybackTime: 10.0, MPNowPlayingInfoPropertyPlaybackRate: 1.0,
    ]
  }

  /// Runs a closure as one turn of the main queue, and waits until its changes are published.
  func turn(_ body: @MainActor () -> Void) async {
    await MainActor.run(body: body)
    await Self.mainQueueIsFree()
  }

  /// Waits until the main queue has carried out all queued work.
  static func mainQueueIsFree() async { await withCheckedContinuation { done in MainQueue.async { done.resume() } } }

  /// Waits until the program has its name on the bus and emits its changes.
  func appears() async throws {
    for await owner in try await client.owners(of: Self.name) where owner != nil { break }
    for canGoNext in [true, false] {
      let first = signals.count
      await turn {
        if canGoNext {
          self.commands.nextTrackCommand.addTarget { _ in .success }
        } else {
          self.commands.nextTrackCommand.removeTarget(nil)
        }
      }
      try await signals.first("the ability", from: first) {
        $0.changedProperties?.values["CanGoNext"] == .boolean(canGoNext)
      }
    }
  }

  /// Waits until the client has received all signals so far, by a jump of the elapsed time that it recognizes.
  ///
  /// - Returns: The signals since the index `first`, without that of this jump.
  @discardableResult
  func settle(from first: Int = 0) async throws -> [DBusSignalMessage] {
    let position = service.snapshot().position < .seconds(60) ? 90.0 : 30.0
    let start = signals.count
    await turn { self.center.nowPlayingInfo?[MPNowPlayingInfoPropertyElapsedPlaybackTime] = position }
    let mark = Int64(position * 1_000_000)
    let index = try await signals.first("the jump", from: start) {
      $0.member == "Seeked" && $0.arguments.first == .int64(mark)
    }.index
    return Array(signals.elements[first..<index])
  }

  /// Returns the signals that a turn of the main queue causes.
  func signals(after body: @MainActor () -> Void) async throws -> [DBusSignalMessage] {
    let first = signals.count
    await turn(body)
    return try await settle(from: first)
  }

  /// Calls the player.
  @discardableResult
  func call(
    _ member: MemberName, _ arguments: DBusValue..., of interface: InterfaceName = "org.mpris.MediaPlayer2.Player"
  ) async throws -> [DBusValue] {
    try await client.call(on: Self.name, at: MPRISService.path, of: interface, member, arguments)
  }

  func properties(of interface: InterfaceName = "org.mpris.MediaPlayer2.Player") async throws -> [String: DBusValue] {
    let reply = try await call("GetAll", .string(interface.rawValue), of: .properties)
    return try #require(reply.first?.asDictionary)
  }

  func set(_ property: String, to value: DBusValue) async throws {
    try await call(
      "Set", .string("org.mpris.MediaPlayer2.Player"), .string(property), .variant(value), of: .properties)
  }

  func metadata() async throws -> [String: DBusValue] { try await properties()["Metadata"]?.asDictionary ?? [:] }

  /// Returns the error of a request.
  func refusal(_ request: () async throws -> Void) async throws -> DBusError {
    try await #require(throws: DBusError.self) { try await request() }
  }
}
