import Logging
import Playback
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Choice of an output") struct OutputChoiceTests {
  private static func output(_ id: String) -> AudioOutput {
    AudioOutput(id: id, name: id, isDefault: false, sinkDescription: "fakesink name=\(id)")
  }

  @Test("Requests to update the list during an update cause one more update")
  func slowList() async throws {
    let (calls, lists) = (EventLog<String>(), EventLog<String>())
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let media = ScriptedMedia(outputs: {
      calls.append("list")
      // The first update lasts until the gate is opened.
      for await _ in gate {}
      return [Self.output("b")]
    })
    let player = media.makePlayer(Player.Configuration(), observers: DirectExecutor())
    let choice = OutputChoice(player, media, configuredDevice: "", log: Logger(label: "test")) { lists.append("list") }
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await choice.run() }
    choice.refresh()
    try await calls.first("the first update")
    for _ in 0..<8 { choice.refresh() }
    opening.finish()
    try await lists.first("the last update", from: 1)
    #expect(choice.known == [Self.output("b")])
    work.cancel()
    await work.value
    #expect(calls.count == 2)
    await player.close()
  }

  @Test("An output that is chosen while an earlier choice is being looked up is kept")
  func laterChoice() async throws {
    let calls = EventLog<String>()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let media = ScriptedMedia(outputs: {
      calls.append("list")
      // The first look-up lasts until the gate is opened.
      if calls.count == 1 { for await _ in gate {} }
      return ["a", "b"].map(Self.output)
    })
    let player = media.makePlayer(Player.Configuration(), observers: DirectExecutor())
    let choice = OutputChoice(player, media, configuredDevice: "", log: Logger(label: "test")) {}
    async let first = choice.select("b")
    try await calls.first("the first look-up")
    #expect(await choice.select("a"))
    #expect(player.audioOutput?.id == "a")
    opening.finish()
    #expect(await first)
    #expect(player.audioOutput?.id == "a")
    await player.close()
  }

  @Test("An unknown output is not found and changes nothing; an empty ID returns to the configured one")
  func unknown() async throws {
    let media = ScriptedMedia(outputs: { ["a", "b"].map(Self.output) })
    let player = media.makePlayer(Player.Configuration(), observers: DirectExecutor())
    let choice = OutputChoice(player, media, configuredDevice: "a", log: Logger(label: "test")) {}
    #expect(await choice.select("b"))
    #expect(await !choice.select("moon"))
    #expect(player.audioOutput?.id == "b")
    #expect(choice.known.map(\.id) == ["a", "b"])
    #expect(await choice.select(""))
    #expect(player.audioOutput?.id == "a")
    await player.close()
  }
}
