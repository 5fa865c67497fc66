import Playback
import TestSupport
import Testing

@testable import GstPlayer

/// Tests of when a player's engine starts GStreamer and makes the output.
@Suite("The start of the engine")
struct StartOnDemandTests {
  /// Opens an engine, carries out commands and closes it; returns its events.
  private func events(startsOnDemand: Bool, _ commands: [EngineCommand]) async -> [EngineEvent] {
    let events = EventLog<EngineEvent>()
    let engine = DeckEngine(
      configuration: Player.Configuration(audioSink: "fakesink"), startsOnDemand: startsOnDemand)
    engine.open(EngineClient { events.append($0) })
    for command in commands { engine.perform(command) }
    // Closing comes after the commands on the same queue.
    engine.close()
    await engine.closed()
    return events.elements
  }

  private func opensOutput(_ event: EngineEvent) -> Bool { if case .output(.opened) = event { true } else { false } }

  @Test("An engine makes its output at once, or on demand with the first item")
  func output() async {
    var changed = EngineSettings(Player.Configuration(audioSink: "fakesink"))
    (changed.volume, changed.isMuted, changed.rate) = (0.5, true, 2)
    let settings: [EngineCommand] = [.settings(changed), .plan([])]
    #expect(await events(startsOnDemand: false, settings).contains(where: opensOutput))
    #expect(await !events(startsOnDemand: true, settings).contains(where: opensOutput))
    let stream = StreamToken(number: 1)
    let open = EngineCommand.open(StreamRequest(uri: "file://\(TemporaryDirectory.missing)", stream: stream))
    let opened = await events(startsOnDemand: true, settings + [open])
    #expect(opened.first.map(opensOutput) == true)
    #expect(opened.filter(opensOutput).count == 1)
  }

  @Test("A setting from before the start applies to the first item")
  func settings() async throws {
    try await withTemporaryDirectory { directory in
      let tap = try Tap(directory, named: "heard.raw")
      let player = Player(
        configuration: Player.Configuration(audioSink: tap.sink(.everything)), observers: ObserverQueue())
      player.isMuted = true
      let events = player.events()
      let sine = PCM().wav(PCM().sine(count: 4_410))
      player.replaceQueue(with: [Player.Item(uri: fileURI(try directory.write(sine, to: "sine.wav")))])
      player.play()
      for await event in events { if case .queueEnded = event { break } }
      await player.close()
      let samples = try tap.recorded()
      #expect(samples.count >= 4_410)
      #expect(samples.allSatisfy { $0 == 0 })
    }
  }
}
