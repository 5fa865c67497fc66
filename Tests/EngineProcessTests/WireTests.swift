import Joining
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("Messages of the engine protocol") struct WireTests {
  @Test("Every kind of report and request is the same after it was sent")
  func roundTrip() throws {
    for report in Samples.reports {
      let received = try EngineProtocol.decode(EngineReport.self, from: EngineProtocol.encode(report))
      #expect(received.fault == nil)
      #expect("\(received)" == "\(report)")
    }
    for request in Samples.requests {
      let received = try EngineProtocol.decode(EngineRequest.self, from: EngineProtocol.encode(request))
      // A set is not ordered.
      if case .settings(let settings) = request, case .settings(settings) = received { continue }
      #expect("\(received)" == "\(request)")
    }
    for command in Samples.deckCommands {
      let bytes = try EngineProtocol.encode(EngineRequest.deck(Samples.token, command))
      guard case .deck(Samples.token, command) = try EngineProtocol.decode(EngineRequest.self, from: bytes) else {
        Issue.record("\(command)")
        return
      }
    }
    for command in Samples.outputCommands {
      let bytes = try EngineProtocol.encode(EngineRequest.output(command))
      guard case .output(command) = try EngineProtocol.decode(EngineRequest.self, from: bytes) else {
        Issue.record("\(command)")
        return
      }
    }
  }

  @Test("A format that no sound card has is not decoded, in any message")
  func formats() throws {
    #expect(Samples.impossibleFormats.count == 6)
    for format in Samples.impossibleFormats {
      var request = DeckRequest(StreamRequest(uri: "file:///1", stream: Samples.token), settings: Samples.settings)
      request.format = format
      for command in [DeckCommand.open(request), .seek(Samples.passage, to: .zero, exactly: true, as: format)] {
        let bytes = try EngineProtocol.encode(EngineRequest.deck(Samples.token, command))
        #expect(throws: (any Error).self) { try EngineProtocol.decode(EngineRequest.self, from: bytes) }
      }
      let bytes = try EngineProtocol.encode(EngineReport.output(.conversion(Samples.passage, format)))
      #expect(throws: (any Error).self) { try EngineProtocol.decode(EngineReport.self, from: bytes) }
    }
  }

  @Test("A configuration keeps its values")
  func configuration() throws {
    var configuration = Player.Configuration(audioSink: "fakesink", volume: 0.5, replayGain: .init(mode: .album))
    configuration.engine = .process(at: "/usr/libexec/mpris-playerd-engine")
    configuration.application = .init(name: "Player", id: "player", iconName: "player")
    let settings = Samples.settings
    for request in [EngineRequest.startOutput(configuration, settings), .startDecks(configuration)] {
      let bytes = try EngineProtocol.encode(request)
      switch try EngineProtocol.decode(EngineRequest.self, from: bytes) {
      case .startOutput(let received, settings), .startDecks(let received):
        #expect("\(received)" == "\(configuration)")
      default: Issue.record("another message")
      }
    }
  }

  @Test("Numbers beyond the limits are clamped by the sender")
  func clamped() throws {
    func sent(_ event: StreamEvent) throws -> StreamEvent? {
      let report = try EngineProtocol.decode(
        EngineReport.self, from: EngineProtocol.encode(EngineReport.deck(Samples.token, .event(event))))
      if case .deck(Samples.token, .event(let event)) = report { return event } else { return nil }
    }
    var tags = MediaMetadata()
    (tags.beatsPerMinute, tags.bitRate) = (.nan, .max)
    guard case .tags(let received, _) = try sent(.tags(tags, about: .item)) else {
      Issue.record("another event")
      return
    }
    #expect(received.beatsPerMinute == 0)
    #expect(received.bitRate == 1 << 53)
    let long = Duration(secondsComponent: .max, attosecondsComponent: 0)
    guard case .ended(let time) = try sent(.ended(at: long)) else {
      Issue.record("another event")
      return
    }
    #expect(time == long.limited)
  }

  @Test("A message of another version, of another type, or with an unknown case is an error")
  func unknown() throws {
    var bytes = try EngineProtocol.encode(EngineReport.deck(Samples.token, .event(.read)))
    #expect(throws: (any Error).self) { try EngineProtocol.decode(EngineRequest.self, from: bytes) }
    bytes[3] += 1
    #expect(throws: WireError.self) { try EngineProtocol.decode(EngineReport.self, from: bytes) }
    #expect(throws: WireError.self) { try EngineProtocol.decode(EngineReport.self, from: []) }
    var header = Array("MPE".utf8) + [EngineProtocol.version]
    var other = header
    WireValue.record(["output": .record(["_0": .record(["explode": .record([:])])])]).write(to: &header)
    #expect(throws: (any Error).self) { try EngineProtocol.decode(EngineReport.self, from: header) }
    WireValue.record(["explode": .record([:])]).write(to: &other)
    #expect(throws: (any Error).self) { try EngineProtocol.decode(EngineRequest.self, from: other) }
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
    for report in Samples.impossibleReports { #expect(report.fault != nil, "\(report)") }
  }

  @Test("Damaged bytes of messages are refused or give another message, and never end the process", .seeded)
  func damaged() throws {
    var generator = SeededGenerator()
    let messages =
      try Samples.reports.map { try EngineProtocol.encode($0) }
      + Samples.requests.map { try EngineProtocol.encode($0) }
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
