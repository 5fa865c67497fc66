import DBus
import MPRISService
import TestSupport
import Testing

@Suite struct WindowTests {
  private func withWindow(
    _ snapshot: MPRISSnapshot = .example, _ body: (ServedPlayer, FakeWindow) async throws -> Void
  ) async throws {
    let fake = FakePlayer(snapshot)
    let window = FakeWindow(fake)
    try await withServedPlayer(fake, as: window) { try await body($0, window) }
  }

  @Test("Raise and Fullscreen reach a player with a window")
  func commands() async throws {
    try await withWindow(.example.with { $0.canSetFullscreen = true }) { served, window in
      try await served.call("Raise", of: ServedPlayer.root)
      try await served.set("Fullscreen", to: .boolean(true), of: ServedPlayer.root)
      #expect(try await served.get("Fullscreen", of: ServedPlayer.root) == .boolean(true))
      try await served.set("Fullscreen", to: .boolean(true), of: ServedPlayer.root)
      #expect(window.commands == [.raise, .setFullscreen(true)])
      #expect(served.fake.commands.isEmpty)
    }
  }

  @Test("Raise and Fullscreen succeed and do nothing if they are currently impossible")
  func impossible() async throws {
    try await withWindow(.example.with { $0.canRaise = false }) { served, window in
      try await served.call("Raise", of: ServedPlayer.root)
      try await served.set("Fullscreen", to: .boolean(true), of: ServedPlayer.root)
      #expect(try await served.get("CanSetFullscreen", of: ServedPlayer.root) == .boolean(false))
      #expect(window.commands.isEmpty)
    }
  }

  @Test("Each property of the window is sent when it changes")
  func changes() async throws {
    let changes: [(String, (inout MPRISSnapshot) -> Void)] = [
      ("CanRaise", { $0.canRaise = false }), ("CanSetFullscreen", { $0.canSetFullscreen = true }),
      ("Fullscreen", { $0.isFullscreen = true }),
    ]
    try await withWindow { served, _ in
      for (name, change) in changes {
        let first = served.changes.count
        served.fake.change(change)
        let received = try await served.change(from: first)
        #expect(received.keys == [name] && received.interface == ServedPlayer.root.rawValue)
      }
    }
  }

  @Test("A player without a window has no Fullscreen, and CanRaise is false")
  func noWindow() async throws {
    try await withServedPlayer { served in
      let root = try await served.getAll(of: ServedPlayer.root)
      #expect(root["Fullscreen"] == nil && root["CanSetFullscreen"] == nil)
      #expect(root["CanRaise"] == .boolean(false))
    }
  }
}
