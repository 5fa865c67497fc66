import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("Messages of the engine protocol") struct WireTests {
  @Test("Every kind of event and command is the same after it was sent")
  func roundTrip() throws {
    for event in Samples.events {
      let bytes = try EngineProtocol.encode(EngineReport.event(event))
      let report = try EngineProtocol.decode(EngineReport.self, from: bytes)
      #expect(report.fault == nil)
      guard case .event(let received) = report else {
        Issue.record("\(report)")
        return
      }
      #expect("\(received)" == "\(event)")
    }
    for command in Samples.commands {
      let bytes = try EngineProtocol.encode(EngineRequest.command(command))
      guard case .command(let received) = try EngineProtocol.decode(EngineRequest.self, from: bytes) else {
        Issue.record("\(command)")
        return
      }
      #expect(received == command)
    }
  }

  @Test("A configuration keeps its values")
  func configuration() throws {
    var configuration = Player.Configuration(audioSink: "fakesink", volume: 0.5, replayGain: .init(mode: .album))
    configuration.engine = .process(at: "/usr/libexec/mpris-playerd-engine")
    configuration.application = .init(name: "Player", id: "player", iconName: "player")
    let bytes = try EngineProtocol.encode(EngineRequest.start(configuration))
    guard case .start(let received) = try EngineProtocol.decode(EngineRequest.self, from: bytes) else {
      Issue.record("another message")
      return
    }
    #expect("\(received)" == "\(configuration)")
  }

  @Test("Numbers beyond the limits are clamped by the sender")
  func clamped() throws {
    func sent(_ event: EngineEvent) throws -> EngineEvent? {
      let report = try EngineProtocol.decode(
        EngineReport.self, from: EngineProtocol.encode(EngineReport.event(event)))
      if case .event(let event) = report { return event } else { return nil }
    }
    var tags = MediaMetadata()
    (tags.beatsPerMinute, tags.bitRate) = (.nan, .max)
    guard case .stream(_, .tags(let received, _)) = try sent(.stream(StreamToken(number: 1), .tags(tags, about: .item)))
    else {
      Issue.record("another event")
      return
    }
    #expect(received.beatsPerMinute == 0)
    #expect(received.bitRate == 1 << 53)
    let long = Duration(secondsComponent: .max, attosecondsComponent: 0)
    guard case .stream(_, .ended(let time)) = try sent(.stream(StreamToken(number: 1), .ended(at: long))) else {
      Issue.record("another event")
      return
    }
    #expect(time == long.limited)
  }

  @Test("A message of another version, of another type, or with an unknown case is an error")
  func unknown() throws {
    var bytes = try EngineProtocol.encode(EngineReport.event(.stream(StreamToken(number: 1), .read)))
    #expect(throws: (any Error).self) { try EngineProtocol.decode(EngineRequest.self, from: bytes) }
    bytes[3] += 1
    #expect(throws: WireError.self) { try EngineProtocol.decode(EngineReport.self, from: bytes) }
    #expect(throws: WireError.self) { try EngineProtocol.decode(EngineReport.self, from: []) }
    var header = Array("MPE".utf8) + [EngineProtocol.version]
    WireValue.record(["event": .record(["_0": .record(["explode": .record([:])])])]).write(to: &header)
    #expect(throws: (any Error).self) { try EngineProtocol.decode(EngineReport.self, from: header) }
  }

  @Test("Depth, count and lengths of values are bounded")
  func bounds() throws {
    var nested: [UInt8] = []
    for _ in 0..<100_000 { nested += [7, 1, 0, 0, 0] }
    #expect(throws: WireError.self) { try WireValue(nested + [0]) }
    let many = [7, 0, 0, 16, 0] + [UInt8](repeating: 0, count: 1 << 20)
    #expect(throws: WireError.self) { try WireValue(many) }
    #expect(throws: WireError.self) { try WireValue([6, 255, 255, 255, 255, 1]) }
    #expect(throws: WireError.self) { try WireValue([5, 1, 0, 0, 0, 255]) }
    #expect(throws: WireError.self) { try WireValue([0, 0]) }
    #expect(throws: WireError.self) { try WireValue([3, 255, 255, 255, 255, 255, 255, 255, 127]) }
    #expect(throws: WireError.self) { try WireValue([4, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F]) }
  }

  @Test("Values that no engine reports are refused")
  func faults() {
    let token = StreamToken(number: 1)
    var picture = MediaMetadata()
    picture.artwork = .init(mimeType: "image/png", bytes: [UInt8](repeating: 0, count: (16 << 20) + 1))
    let wrong: [EngineEvent] = [
      .stream(token, .durationChanged(.seconds(-1))), .stream(token, .ended(at: .seconds(-1))),
      .stream(token, .buffering(percent: 101, StreamProgress())),
      .output(.volumeChanged(volume: 11, isMuted: false)), .output(.volumeChanged(volume: -1, isMuted: false)),
      .stream(token, .audioTracks([AudioTrack()], current: 1)),
      .stream(token, .chapters([Chapter(start: .seconds(-1))])), .stream(token, .tags(picture, about: .item)),
      .audible(token, at: .seconds(-1)), .starting(true),
      .replaced(after: .process(EngineEnd(reason: "", newestStream: token))),
    ]
    for event in wrong { #expect(EngineReport.event(event).fault != nil) }
  }

  @Test("Damaged bytes of messages are refused or give another message, and never end the process", .seeded)
  func damaged() throws {
    var generator = SeededGenerator()
    let messages =
      try Samples.events.map { try EngineProtocol.encode(EngineReport.event($0)) }
      + Samples.commands.map { try EngineProtocol.encode(EngineRequest.command($0)) }
    for _ in 0..<20_000 {
      guard var bytes = messages.randomElement(using: &generator) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(.random(in: 0...9, using: &generator), at: index)
        default: bytes = Array(bytes[...index])
        }
        if bytes.isEmpty { break }
      }
      if let report = try? EngineProtocol.decode(EngineReport.self, from: bytes) { _ = report.fault }
      _ = try? EngineProtocol.decode(EngineRequest.self, from: bytes)
    }
  }
}
