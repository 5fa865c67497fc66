import Logging
import Playback
import TestSupport
import Testing

@testable import Playerd

@Suite("Choice of an output") struct OutputChoiceTests {
  @Test("Requests to update the list do not replace a choice that waits for a slow update")
  func slowList() async throws {
    let output = AudioOutput(id: "b", name: "B", isDefault: false, sinkDescription: "fakesink")
    let (calls, lists) = (EventLog<String>(), EventLog<String>())
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let media = ScriptedMedia(outputs: {
      calls.append("list")
      // The first update lasts until the gate is opened.
      for await _ in gate {}
      return [output]
    })
    let player = media.makePlayer(Player.Configuration(), observers: DirectExecutor())
    let choice = OutputChoice(player, media, configuredDevice: "", log: Logger(label: "test")) { lists.append("list") }
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await choice.run() }
    choice.refresh()
    try await calls.first("the first update")
    choice.choose(output.id)
    for _ in 0..<8 { choice.refresh() }
    opening.finish()
    // The first update, that of the choice, and one for all requests after it.
    try await lists.first("the last update", from: 2)
    #expect(player.audioOutput == output)
    #expect(choice.known == [output])
    work.cancel()
    await work.value
    await player.close()
  }

  @Test("A listed output that is chosen while an earlier choice is being looked up is kept")
  func laterChoice() async throws {
    let outputs = ["a", "b"].map { AudioOutput(id: $0, name: $0, isDefault: false, sinkDescription: "fakesink") }
    let (calls, lists) = (EventLog<String>(), EventLog<String>())
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let media = ScriptedMedia(outputs: {
      calls.append("list")
      guard calls.count > 1 else { return Array(outputs.prefix(1)) }
      // The second update lasts until the gate is opened.
      for await _ in gate {}
      return outputs
    })
    let player = media.makePlayer(Player.Configuration(), observers: DirectExecutor())
    let choice = OutputChoice(player, media, configuredDevice: "", log: Logger(label: "test")) { lists.append("list") }
    let work = Task(executorPreference: QueueExecutor(label: "test")) { await choice.run() }
    choice.refresh()
    try await lists.first("the first update")
    choice.choose("b")
    try await calls.first("the second update", from: 1)
    choice.choose("a")
    #expect(player.audioOutput?.id == "a")
    opening.finish()
    work.cancel()
    await work.value
    #expect(choice.known == outputs)
    #expect(player.audioOutput?.id == "a")
    await player.close()
  }
}
