import EventLoop
import Glibc
import Joining
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("The requests of a client to a process") struct InspectionServerTests {
  /// A server without an engine, and the client's channel to it.
  private struct Ends {
    let service = ScriptedService()
    let loop = PollLoop(name: "requests-test")
    let replies = EventLog<MediaReply>()
    let ends = EventLog<String?>()
    let limits = EventLog<Int>()
    let client: EngineChannel

    init() throws {
      let (one, other) = try #require(EngineChannel.makeSockets())
      let (replies, ends, limits) = (replies, ends, limits)
      let server = EngineServer(
        on: loop, parts: ScriptedParts().parts, service: service,
        limit: { limits.append($0) }, ended: { ends.append($0) })
      server.serve(one)
      client = EngineChannel(
        other, on: loop,
        receive: {
          if case .media(let reply) = try EngineProtocol.decode(EngineReport.self, from: $0) { replies.append(reply) }
        }, ended: { _ in })
      client.open()
    }

    func send(_ request: EngineRequest) throws { client.send(try EngineProtocol.encode(request)) }

    func answer(_ number: Int) async throws -> MediaAnswer {
      let reply = try await replies.first("the answer") {
        if case .answer(_, number) = $0 { true } else { false }
      }.element
      guard case .answer(let answer, _) = reply else { return .checked }
      return answer
    }

    func close() {
      client.close()
      loop.stop()
    }
  }

  private static func inspect(_ number: Int) -> EngineRequest {
    .media(.request(.inspect(uri: "file:///\(number)", timeout: .seconds(1)), number: number))
  }

  @Test("Settings are applied before the requests that follow them")
  func settings() async throws {
    let ends = try Ends()
    defer { ends.close() }
    var settings = MediaSettings()
    settings.network = NetworkSettings(serverSchemes: ["https"], userAgent: "agent")
    settings.certificates = [
      try #require(AcceptedCertificate(host: "a.example", fingerprint: String(repeating: "0f", count: 32)))
    ]
    settings.textEncoding = "windows-1251"
    try ends.send(.startInspection(memoryLimit: 1 << 20))
    try ends.send(.settings(settings))
    try ends.send(Self.inspect(1))
    try await ends.service.inspected.first("the inspection")
    #expect(ends.service.settings.elements == [settings])
    #expect(ends.limits.elements == [1 << 20])
  }

  @Test("Requests run at the same time, and a cancelled one is answered while another continues")
  func cancel() async throws {
    let ends = try Ends()
    defer { ends.close() }
    try ends.send(.startInspection(memoryLimit: 1 << 20))
    try ends.send(Self.inspect(1))
    try ends.send(Self.inspect(2))
    try await ends.service.inspected.first("the second inspection", from: 1)
    try ends.send(.media(.cancel(number: 2)))
    guard case .failed(let error) = try await ends.answer(2) else {
      Issue.record("it is not cancelled")
      return
    }
    #expect(error.code == .cancelled)
    ends.service.descriptions.append(ScriptedProgram.described)
    guard case .description(let description) = try await ends.answer(1) else {
      Issue.record("another answer")
      return
    }
    #expect(description == ScriptedProgram.described)
    // A message about a request that is answered does nothing.
    try ends.send(.media(.cancel(number: 1)))
    try ends.send(.media(.decision(true, number: 1)))
    try ends.send(.media(.request(.checkAudioSink("wrong"), number: 1)))
    try await ends.replies.first("the error") {
      if case .answer(.failed(PlayerError(code: .output, message: "wrong")), 1) = $0 { true } else { false }
    }
  }

  @Test("The client decides whether content is read", arguments: [true, false])
  func decision(isWanted: Bool) async throws {
    let ends = try Ends()
    defer { ends.close() }
    try ends.send(.startInspection(memoryLimit: 1 << 20))
    let request = MediaRequest.read(
      uri: "http://a/", headers: nil, byteLimit: 9, timeout: .seconds(1), forPlayback: false)
    try ends.send(.media(.request(request, number: 4)))
    let question = try await ends.replies.first("the question").element
    guard case .question(.isWanted(let type, let beginning), 4) = question else {
      Issue.record("another reply")
      return
    }
    #expect(type == "audio/x-mpegurl")
    #expect(beginning == [35])
    try ends.send(.media(.decision(isWanted, number: 4)))
    guard case .content(let content) = try await ends.answer(4) else {
      Issue.record("another answer")
      return
    }
    #expect((content != nil) == isWanted)
  }

  @Test("A request before the start, a second start and two requests with one number end the connection")
  func wrongMessages() async throws {
    let sequences: [[EngineRequest]] = [
      [Self.inspect(1)], [.startInspection(memoryLimit: 1), .startInspection(memoryLimit: 1)],
      [.startInspection(memoryLimit: 1), .startOutput(Player.Configuration(), Samples.settings)],
      [.startInspection(memoryLimit: 1), .startDecks(Player.Configuration())],
      [.startInspection(memoryLimit: 1), .output(.plan([], from: .now))],
      [.startInspection(memoryLimit: 1), .deck(Samples.token, .measure)],
      [.startInspection(memoryLimit: 1), Self.inspect(1), Self.inspect(1)],
    ]
    for sequence in sequences {
      let ends = try Ends()
      for request in sequence { try ends.send(request) }
      let reason = try await ends.ends.first("the end").element
      #expect(reason?.hasPrefix("it sent an invalid message: ") == true)
      ends.close()
    }
  }

  @Test("Answers with values that no service returns, or to another request, are refused")
  func faults() throws {
    var (long, large) = (MediaDescription(), MediaDescription())
    long.duration = .seconds(-1)
    large.metadata.artwork = .init(mimeType: "", bytes: [UInt8](repeating: 0, count: (16 << 20) + 1))
    let inspect = MediaRequest.inspect(uri: "", timeout: .zero)
    let read = MediaRequest.read(uri: "", headers: nil, byteLimit: 1, timeout: .zero, forPlayback: false)
    let compare = MediaRequest.compareSamples(of: "", Player.Configuration(), rate: 1)
    var comparison = SampleComparison()
    let format = SampleComparison.Format(name: "", bits: 16, rate: 1, channels: 1)
    comparison.output = SampleComparison.Samples(format: format, count: -1, digest: nil)
    let content = MediaContent(uri: "", mediaType: nil, bytes: [1, 2])
    let redirected = MediaContent(uri: "file:///etc/passwd", mediaType: nil, bytes: [])
    let wrong: [(MediaRequest, MediaAnswer)] = [
      (.read(uri: "http://a/", headers: nil, byteLimit: 1, timeout: .zero, forPlayback: false), .content(redirected)),
      (inspect, .description(long)), (inspect, .description(large)), (inspect, .content(nil)),
      (read, .content(content)), (compare, .comparison(comparison)), (.audioOutputs, .support(nil)),
    ]
    let measure = MediaRequest.measureLoudness(uri: "", includingTagged: false)
    for loudness in Samples.impossibleLoudness {
      #expect(measure.fault(of: .loudness(loudness)) == "a loudness beyond the limits")
    }
    for (request, answer) in wrong { #expect(request.fault(of: answer) != nil) }
    let right: [(MediaRequest, MediaAnswer)] = [
      (inspect, .description(MediaDescription())), (read, .content(nil)), (compare, .comparison(SampleComparison())),
      (.audioOutputs, .audioOutputs([])), (.checkAudioSink(""), .checked), (.support, .support(nil)),
      (measure, .loudness(nil)), (measure, .loudness(Samples.loudness)),
      (.support, .failed(PlayerError(code: .unknown, message: ""))),
    ]
    for (request, answer) in right { #expect(request.fault(of: answer) == nil) }
  }

  @Test("Every kind of request and reply is the same after it was sent")
  func roundTrip() throws {
    let headers = try HTTPRequestHeaders(["Authorization": "x"], userAgent: "agent")
    let requests: [MediaRequest] = [
      .inspect(uri: "file:///ä", timeout: .milliseconds(1)),
      .read(uri: "http://a/", headers: headers, byteLimit: 0, timeout: .seconds(1), forPlayback: true),
      .measureLoudness(uri: "file:///ä", includingTagged: true), .audioOutputs, .checkAudioSink("fakesink"),
      .compareSamples(of: "", Player.Configuration(), rate: 0.5), .support,
    ]
    let calls = requests.map { MediaCall.request($0, number: 7) } + [.decision(true, number: 1), .cancel(number: 2)]
    for call in calls {
      let bytes = try EngineProtocol.encode(EngineRequest.media(call))
      #expect("\(try EngineProtocol.decode(EngineRequest.self, from: bytes))" == "\(EngineRequest.media(call))")
    }
    var description = ScriptedProgram.described
    (description.metadata, description.audioTracks) = (Samples.metadata, [Samples.track])
    description.chapters = [Chapter(start: .zero, duration: .seconds(1), title: "One")]
    let support = FrameworkSupport(
      version: "1.22.0", hasPlayback: true, formats: [FrameworkSupport.Format(name: "MP3", missing: ["a"])])
    let answers: [MediaAnswer] = [
      .loudness(nil), .loudness(TrackLoudness(integrated: -30.25, peak: 0.75, histogram: [397: 2_400], album: "0a")),
      .description(description), .content(MediaContent(uri: "a", mediaType: "b", bytes: [0, 255])), .content(nil),
      .audioOutputs([AudioOutput(id: "1", name: "2", isDefault: true, sinkDescription: "3")]), .checked,
      .comparison(SampleComparison()), .support(support), .support(nil),
      .failed(PlayerError(code: .corrupt, message: "damaged", detail: "detail")),
    ]
    let replies =
      answers.map { MediaReply.answer($0, number: 3) }
      + [.question(.isWanted(mediaType: nil, beginning: [1]), number: 1), .question(.isExamined, number: 2)]
    for reply in replies {
      let bytes = try EngineProtocol.encode(EngineReport.media(reply))
      #expect("\(try EngineProtocol.decode(EngineReport.self, from: bytes))" == "\(EngineReport.media(reply))")
    }
  }
}
