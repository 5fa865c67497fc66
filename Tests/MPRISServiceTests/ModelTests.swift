import DBus
import Observation
import TestSupport
import Testing

@testable import MPRISService

/// A player of a user interface, without a lock.
@Observable @MainActor private final class Radio: MPRISModel {
  var isPlaying = false
  var title = "Morning show"
  var number: UInt64 = 1
  var position = Duration.zero
  var snapshots = 0

  func snapshot() -> MPRISSnapshot {
    var snapshot = MPRISSnapshot(desktopEntry: "radio")
    snapshot.status = isPlaying ? .playing : .paused
    var fields = MPRISMetadata.Fields(trackID: MPRISTrackID(number), title: title)
    fields.length = .seconds(3600)
    snapshot.metadata = MPRISMetadata(fields)
    snapshot.position = position
    (snapshot.canPlay, snapshot.canPause, snapshot.canSeek) = (true, true, true)
    return snapshot
  }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
    switch command {
    case .play: isPlaying = true
    case .pause: isPlaying = false
    case .setPosition(of: _, to: let position): self.position = position
    default: throw .notSupported("the radio cannot do this")
    }
  }
}

@MainActor
@Suite("Players on the main actor") struct ModelTests {
  private static let name: BusName = "org.mpris.MediaPlayer2.radio"

  /// Serves a model on a private bus, and records the signals of its player.
  private func serve(
    _ radio: Radio, _ body: (DBusConnection, EventLog<DBusSignalMessage>) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "client")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let signals = try await client.signals(from: Self.name, path: MPRISService.path)
      let log = EventLog<DBusSignalMessage>()
      let service = MPRISService(identity: "Radio", model: radio) { [address = bus.address] in address }
      try await withThrowingTaskGroup { group in
        group.addTask { try await service.run() }
        group.addTask { for await signal in signals { log.append(signal) } }
        for await owner in try await client.owners(of: Self.name) where owner != nil { break }
        try await body(client, log)
        group.cancelAll()
      }
    }
  }

  private func call(_ method: MemberName, _ arguments: [DBusValue] = [], on client: DBusConnection) async throws {
    _ = try await client.call(
      on: Self.name, at: MPRISService.path, of: "org.mpris.MediaPlayer2.Player", method, arguments)
  }

  @Test("Changes of a model in one turn are one signal, and a change without a property of MPRIS is none")
  func changes() async throws {
    let radio = Radio()
    try await serve(radio) { client, log in
      (radio.isPlaying, radio.title) = (true, "News")
      let first = try await log.first("the change", within: 20) { $0.member == "PropertiesChanged" }
      let values = try #require(first.element.changedProperties?.values)
      #expect(values["PlaybackStatus"] == .string("Playing") && values["Metadata"] != nil)
      radio.snapshots += 1
      radio.title = "Late show"
      try await log.first("the next change", from: first.index + 1, within: 20) { $0.member == "PropertiesChanged" }
      #expect(log.elements.map(\.member) == ["PropertiesChanged", "PropertiesChanged"])
    }
  }

  @Test("The service retains its model, and runs a model that nothing else retains")
  func retains() async throws {
    var radio: Radio? = Radio()
    weak let reference = radio
    let service = radio.map { MPRISService(identity: "Radio", model: $0) { nil } }
    radio = nil
    #expect(reference != nil && service != nil)
    try await serve(Radio()) { client, _ in
      try await call("Play", on: client)
      let status = try await client.call(
        on: Self.name, at: MPRISService.path, of: .properties, "Get",
        [.string("org.mpris.MediaPlayer2.Player"), .string("PlaybackStatus")])
      #expect(status == [.variant(.string("Playing"))])
    }
  }

  @Test("A command changes the model before its reply, and a refused one is an error")
  func commands() async throws {
    let radio = Radio()
    try await serve(radio) { client, log in
      for _ in 0..<20 {
        try await call("Play", on: client)
        #expect(radio.isPlaying)
        try await call("Pause", on: client)
        #expect(!radio.isPlaying)
      }
      try await call("Play", on: client)
      try await log.first("the last change", within: 20) {
        $0.changedProperties?.values["PlaybackStatus"] == .string("Playing")
      }
      await #expect { try await call("Stop", on: client) } throws: {
        ($0 as? DBusError)?.message == "the radio cannot do this"
      }
    }
  }

  @Test("A read after the reply to a command shows its effect")
  func reply() async {
    let player = MPRISModelPlayer(Radio())
    let status = await withCheckedContinuation { reply in
      player.perform(.play) { _ in reply.resume(returning: player.snapshot().status) }
    }
    #expect(status == .playing)
  }

  @Test("A position advances while its model plays, up to the end of the track, and otherwise stands")
  func reads() async throws {
    let radio = Radio()
    radio.position = .seconds(60)
    try await serve(radio) { client, _ in
      func position() async throws -> Int64? {
        let reply = try await client.call(
          on: Self.name, at: MPRISService.path, of: .properties, "Get",
          [.string("org.mpris.MediaPlayer2.Player"), .string("Position")])
        return try #require(reply.first?.asVariant).asInt64
      }
      #expect(try await position() == 60_000_000)
      try await call("Play", on: client)
      // A call over the bus takes longer than a microsecond.
      let first = try #require(try await position())
      let second = try #require(try await position())
      #expect(60_000_000 < first && first < second)
      try await call("SetPosition", [.objectPath(MPRISTrackID(1).path), .int64(3_600_000_000)], on: client)
      #expect(try await position() == 3_600_000_000)
    }
  }

  @Test("A change of the position by more than 0.2 s is a jump")
  func smallJumps() async throws {
    let radio = Radio()
    try await serve(radio) { client, log in
      radio.title = "News"
      let first = try await log.first("the title", within: 20) { $0.member == "PropertiesChanged" }.index
      for position in [200_000, 400_001] as [Int64] {
        try await call("SetPosition", [.objectPath(MPRISTrackID(1).path), .int64(position)], on: client)
      }
      // The change of the track would take the place of a jump that is not published yet.
      try await log.first("the jump", from: first + 1, within: 20) { $0.member == "Seeked" }
      (radio.number, radio.position) = (2, .zero)
      try await log.first("the track", from: first + 1, within: 20) { $0.member == "PropertiesChanged" }
      #expect(log.elements.map(\.member) == ["PropertiesChanged", "Seeked", "PropertiesChanged"])
      #expect(log.elements[1].arguments == [.int64(400_001)])
    }
  }

  @Test("A jump of the position emits Seeked, and a position that advances does not")
  func positions() async throws {
    let radio = Radio()
    try await serve(radio) { client, log in
      // Events are sent from the first publication on, which may follow the name on the bus.
      radio.title = "News"
      let first = try await log.first("the title", within: 20) { $0.member == "PropertiesChanged" }.index
      try await call("SetPosition", [.objectPath(MPRISTrackID(1).path), .int64(60_000_000)], on: client)
      #expect(radio.position == .seconds(60))
      let seeked = try await log.first("the jump", from: first + 1, within: 20) { _ in true }
      #expect(seeked.element.member == "Seeked" && seeked.element.arguments.first == .int64(60_000_000))
      radio.position += .milliseconds(20)
      // Another track starts at 0.
      (radio.number, radio.position) = (2, .zero)
      try await log.first("the track", from: seeked.index, within: 20) { $0.member == "PropertiesChanged" }
      #expect(log.elements.map(\.member) == ["PropertiesChanged", "Seeked", "PropertiesChanged"])
    }
  }
}
