import DBus
import EventLoop
import PlayerdInterfaces
import TestSupport
import Testing

/// Tests of `org.playerd.Control1`: the interface and its client on a private bus, with a scripted player.
@Suite struct ControlTests {
  private final class ScriptedPlayer: ControlledPlayer {
    let calls = EventLog<String>()
    /// The answer to each request for a part of the queue; nil for the rows of a queue of 700 tracks.
    private let page: QueuePage?

    init(page: QueuePage? = nil) { self.page = page }

    func status() -> PlayerStatus {
      var status = PlayerStatus()
      (status.title, status.position, status.isMuted) = ("Title", 7, true)
      return status
    }
    func setMuted(_ isMuted: Bool) { calls.append("setMuted \(isMuted)") }
    func setOutput(_ id: String) async -> OutputSelection {
      OutputSelection(isFound: id == "hdmi", outputs: [.init(id: "hdmi", name: "HDMI")])
    }
    func saveQueue(as name: PlaylistName, replacing: Bool) -> Result<String, DBusError> {
      replacing ? .success("/\(name.fileName)") : .failure(.fileExists("\(name.text) exists"))
    }
    func tracks(from offset: Int, count: Int) async -> QueuePage {
      if let page { return page }
      let rows = (offset..<min(offset + count, 700)).map { index in
        var row = QueuedTrack()
        row.index = Int64(index)
        return row
      }
      return QueuePage(revision: 3, total: 700, rows: rows)
    }
    func removeTracks(at indices: [Int]) throws(DBusError) { calls.append("remove \(indices)") }
    func moveTrack(from source: Int, to target: Int) throws(DBusError) {
      if target > 699 { throw .invalidArguments("track \(target) does not exist") }
      calls.append("move \(source) \(target)")
    }
    func playTrack(at index: Int) throws(DBusError) { calls.append("play \(index)") }
    func clear() { calls.append("clear") }
    func undo() throws(DBusError) { calls.append("undo") }
    var playlistNames: [String] { ["One", "Two"] }
    func playlistURI(named name: String) -> String? { name == "One" ? "file:///One.m3u8" : nil }
    var configurationText: String { "volume = 1" }
    func recording(withNames: Bool) -> InputRecording {
      InputRecording(
        version: "1", configuration: ["volume = 1"], lines: ["{}", "[1]"],
        names: withNames ? ["1": "file:///a"] : [:])
    }
    func reload() throws(DBusError) -> [String] { ["audio-sink"] }
  }

  private func withControl(
    attaching player: ScriptedPlayer?, _ body: (ControlClient) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
      let control = ControlInterface { uris, options, reply throws(DBusError) in
        guard options["paused"] == .boolean(true) else { throw .invalidArguments("an option is missing") }
        var report = OpenReport()
        report.trackCount = Int64(uris.count)
        reply(report)
      }
      if let player { control.attach(player) }
      try await connection.export(at: PlayerdName.object, [control.rows]) { MonitorSnapshot() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      try await withThrowingTaskGroup { group in
        group.addTask { for await job in control.jobs { await job() } }
        defer { group.cancelAll() }
        try await body(ControlClient(of: connection.uniqueName, on: client))
      }
    }
  }

  @Test("Each client call reaches the player with its arguments")
  func calls() async throws {
    let player = ScriptedPlayer()
    try await withControl(attaching: player) { client async throws in
      try await client.setMuted(true)
      try await client.removeTracks(at: [0, 5])
      try await client.moveTrack(from: 2, to: 1)
      try await client.playTrack(at: 4)
      try await client.clear()
      try await client.undo()
      #expect(player.calls.elements == ["setMuted true", "remove [0, 5]", "move 2 1", "play 4", "clear", "undo"])
      #expect(try await client.status() == player.status())
      #expect(try await client.playlists() == ["One", "Two"])
      #expect(try await client.playlistURI(named: "One") == "file:///One.m3u8")
      #expect(try await client.playlistURI(named: "Three") == nil)
      #expect(try await client.configuration() == "volume = 1")
      #expect(try await client.recording(withNames: true) == player.recording(withNames: true))
      #expect(try await client.recording(withNames: false).names.isEmpty)
      #expect(try await client.reload() == ["audio-sink"])
      #expect(try await client.setOutput("hdmi") == player.setOutput("hdmi"))
      #expect(try await client.setOutput("usb").isFound == false)
    }
  }

  @Test("The client reads a long queue page by page")
  func queue() async throws {
    try await withControl(attaching: ScriptedPlayer()) { client async throws in
      #expect(try await client.tracks().map(\.index) == Array(0..<700))
      #expect(try await client.tracks(from: 698, count: 10).rows.map(\.index) == [698, 699])
    }
  }

  @Test("Whatever an instance sends, a page has at most 500 tracks and a queue at most a million")
  func queueWithoutEnd() async throws {
    let page = QueuePage(revision: 3, total: .max, rows: Array(repeating: QueuedTrack(), count: 501))
    try await withControl(attaching: ScriptedPlayer(page: page)) { client async throws in
      let read = try await client.tracks(from: 0, count: 1)
      #expect(read.rows.count == 500)
      #expect(read.total == 1_000_000)
    }
  }

  @Test("An error of the player reaches the client")
  func errors() async throws {
    try await withControl(attaching: ScriptedPlayer()) { client async throws in
      let name = try #require(PlaylistName("Evening"))
      #expect(try await client.save(as: name, replacing: true) == "/Evening.m3u8")
      await #expect(throws: DBusError.fileExists("Evening exists")) {
        try await client.save(as: name, replacing: false)
      }
      await #expect(throws: DBusError.invalidArguments("track 700 does not exist")) {
        try await client.moveTrack(from: 0, to: 700)
      }
    }
  }

  @Test("Before a player is attached, open requests are accepted and all other calls fail")
  func early() async throws {
    try await withControl(attaching: nil) { client async throws in
      #expect(try await client.open(["file:///a", "file:///b"], [("paused", .boolean(true))]).trackCount == 2)
      await #expect(throws: DBusError.invalidArguments("an option is missing")) { try await client.open([], []) }
      await #expect(throws: DBusError.failed("the instance is still starting")) { try await client.status() }
    }
  }
}
