import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer
@testable import Playback

@Suite("The inspection of media in a process", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct InspectionProcessTests {
  private static let limit = Duration.seconds(60)
  private let here = GstPlayerInspection()

  @Test("Descriptions and pictures equal an inspection in this process")
  func descriptions() async throws {
    let tags = Tags(
      title: "Titel “ä”", artists: ["One", "Two"], album: "Album", genre: "Jazz", trackNumber: 3, date: "1999",
      cover: try await Media.cover(seed: 7))
    try await withTemporaryDirectory { directory in
      let plain = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 3, format: .wav))))
      let cues = try directory.write(CueSheet.adding([(0, "Overture"), (44_100, "Act")], to: plain), to: "cues.wav")
      try await withInspectionProcess { process in
        var paths = [cues, try await Media.textFile(), try await Media.emptyFile(), Media.missing]
        for format in Media.Format.allCases {
          paths.append(try await Media.sine(seconds: 1, format: format, tags: tags))
        }
        for path in paths {
          let local = await result { () throws(PlayerError) in
            try await here.inspect("file://\(path)", timeout: Self.limit)
          }
          let remote = await process.result(of: "file://\(path)", timeout: Self.limit)
          // The detail of an error has the number of an element.
          if case (.failure(let one), .failure(let other)) = (local, remote) {
            #expect(one.code == other.code && one.message == other.message)
          } else {
            #expect(remote == local, "\(path)")
          }
        }
      }
    }
  }

  @Test("The process has the same installed formats and outputs as this one, and refuses the same descriptions")
  func framework() async throws {
    try await withInspectionProcess { process in
      let support = await process.support()
      #expect(support == MediaSupport.installed)
      let outputs = await process.audioOutputs()
      #expect(await here.audioOutputs() == outputs)
      for description in ["fakesink sync=true", "no-such-element", "fakesink ! "] {
        let local = await result { () throws(PlayerError) in try await here.checkAudioSink(description) }
        let remote = await result { () throws(PlayerError) in try await process.checkAudioSink(description) }
        #expect("\(remote)" == "\(local)")
      }
    }
  }

  @Test("Settings reach the process before its first request, and while it runs")
  func settings() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 0.2, format: .mp3))))
    try await withTemporaryDirectory { directory in
      // A tag of ID3v1 with the title “Кино” in Windows-1251.
      let tag = Array("TAG".utf8) + [0xCA, 0xE8, 0xED, 0xEE] + [UInt8](repeating: 0, count: 121)
      let path = try directory.write(music + tag, to: "1.mp3")
      try await withHTTPServer { server in
        let page = server.script("/list", .bytes([1], type: "text/plain"))
        try await withInspectionProcess { process in
          var settings = MediaSettings()
          settings.textEncoding = "windows-1251"
          process.apply(settings)
          let description = try await process.inspect("file://\(path)", timeout: Self.limit)
          #expect(description.metadata.title == "Кино")
          for agent in ["one", "other"] {
            settings.network.userAgent = agent
            process.apply(settings)
            _ = try await process.read(
              page, headers: nil, byteLimit: 9, timeout: Self.limit, forPlayback: false
            ) { _, _ in true }
            #expect(server.headers(of: "/list").last?["user-agent"] == agent)
          }
        }
      }
    }
  }

  @Test("The caller decides whether content is read, and the request sets the limits")
  func read() async throws {
    let bytes = (0..<500_000).map { UInt8($0 & 0xFF) }
    try await withHTTPServer { server in
      let moved = server.script("/moved", .redirect(to: "/there"))
      server.script("/there", .bytes(bytes, type: "application/x-thing"))
      try await withInspectionProcess { process in
        func read(_ uri: String, limit: Int, _ isWanted: Bool) async -> Result<MediaContent?, PlayerError> {
          await result { () throws(PlayerError) in
            try await process.read(
              uri, headers: nil, byteLimit: limit, timeout: Self.limit, forPlayback: false
            ) { type, beginning in isWanted && type == "application/x-thing" && bytes.starts(with: beginning) }
          }
        }
        let content = MediaContent(uri: server.origin + "/there", mediaType: "application/x-thing", bytes: bytes)
        #expect(await read(moved, limit: 1 << 20, true) == .success(content))
        #expect(await read(moved, limit: 1 << 20, false) == .success(nil))
        let large = PlayerError(code: .unknown, message: "the content is larger than 99 bytes")
        #expect(await read(moved, limit: 99, true) == .failure(large))
      }
    }
  }

  @Test("A signal during the inspection of a server's media is the error, and its URI is not requested again")
  func killed() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 5, format: .wav))))
    try await withHTTPServer { server in
      let uri = server.script("/1.wav", .bytes(music, type: "audio/x-wav").stalling(at: 20))
      try await withInspectionProcess { process in
        async let open = result { () throws(PlayerError) in try await process.inspect(uri, timeout: Self.limit) }
        try await server.events.first("the request") { $0 == .requested(path: "/1.wav", rangeStart: nil) }
        let number = try #require(process.processID)
        #expect(kill(number, SIGKILL) == 0)
        let error = PlayerError(code: .engineEnded, message: "the inspection process ended: signal 9 (SIGKILL)")
        #expect(await open == .failure(error))
        let count = server.headers(of: "/1.wav").count
        let again = await process.result(of: uri, timeout: Self.limit)
        #expect(again == .failure(error))
        #expect(server.headers(of: "/1.wav").count == count)
        #expect(process.processID == nil)
      }
    }
  }

  @Test("A stopped process is killed, and its request is repeated for another file only")
  func stopped() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 5, format: .wav))))
    let good = try await Media.sine(seconds: 1)
    try await withHTTPServer { server in
      let uri = server.script("/1.wav", .bytes(music, type: "audio/x-wav").stalling(at: 20))
      try await withInspectionProcess {
        $0.answerTime = .seconds(5)
      } _: { process in
        async let open = result { () throws(PlayerError) in try await process.inspect(uri, timeout: Self.limit) }
        try await server.events.first("the request") { $0 == .requested(path: "/1.wav", rangeStart: nil) }
        let number = try #require(process.processID)
        #expect(kill(number, SIGSTOP) == 0)
        guard case .failure(let error) = await open else {
          Issue.record("it did not fail")
          return
        }
        #expect(error.code == .engineEnded)
        #expect(error.message == "the inspection process ended: no answer for 5.0 seconds")
        let description = try await process.inspect("file://\(good)", timeout: Self.limit)
        #expect(description.duration == .seconds(1))
      }
    }
  }

  @Test("A process beyond the memory limit is ended, and the error names the limit")
  func memory() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 5, format: .wav))))
    try await withHTTPServer { server in
      // The memory is measured while the request is open.
      let uri = server.script("/1.wav", .bytes(music, type: "audio/x-wav").stalling(at: 20))
      try await withInspectionProcess {
        $0.memoryLimit = 1
      } _: { process in
        let answer = await process.result(of: uri, timeout: Self.limit)
        let text = "the inspection process ended: more than 1 MiB of memory"
        #expect(answer == .failure(PlayerError(code: .engineEnded, message: text)))
      }
    }
  }

  @Test("An idle process ends, and another one carries out the next request")
  func idle() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withInspectionProcess {
      $0.idleTime = .zero
    } _: { process in
      #expect(process.processID == nil)
      let numbers = EventLog<Int32>()
      for index in 0..<3 {
        _ = try await process.read(
          "file://\(path)", headers: nil, byteLimit: 1 << 20, timeout: Self.limit, forPlayback: false
        ) { _, _ in
          numbers.append(process.processID ?? 0)
          return true
        }
        try await waitForEnd(ofProcess: numbers.elements[index])
      }
      #expect(Set(numbers.elements).count == 3)
    }
  }

  @Test("Compared samples equal a comparison in this process, and the caller examines the output once")
  func samples() async throws {
    let path = try await Media.sine(seconds: 1)
    let configuration = Player.Configuration(audioSink: "fakesink sync=true")
    let local = try await here.compareSamples(of: "file://\(path)", configuration, rate: 1) {}
    let examined = EventLog<Void>()
    try await withInspectionProcess { process in
      let remote = try await process.compareSamples(of: "file://\(path)", configuration, rate: 1) {
        examined.append(())
      }
      #expect(remote == local)
      #expect(examined.count == 1)
    }
  }

  @Test(
    "A server gets one request for a stream that is read for playback and then played, with the settings of the player")
  func forPlayback() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .mp3))))
    try await withHTTPServer { server in
      let uri = server.script("/radio", .bytes(music, type: "audio/mpeg").withoutLength().ignoringRanges())
      server.script("/other", .bytes(music, type: "audio/mpeg").withoutLength().ignoringRanges())
      try await withProcessPlayer([]) { player in
        var settings = MediaSettings()
        settings.network.userAgent = "one"
        player.engine.apply(settings)
        let content = try await player.engine.read(
          uri, headers: nil, byteLimit: 0, timeout: Self.limit, forPlayback: true
        ) { _, _ in false }
        #expect(content == nil)
        let processes = player.engine.deckProcessIDs
        #expect(processes.count == 1 && player.engine.processID == nil)
        player.player.replaceQueue(with: [Player.Item(uri: uri)])
        player.player.play()
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.engine.deckProcessIDs == processes)
        #expect(server.headers(of: "/radio").compactMap { $0["user-agent"] } == ["one"])
        settings.network.userAgent = "other"
        player.engine.apply(settings)
        let place = player.events.count
        player.player.replaceQueue(with: [Player.Item(uri: server.origin + "/other")])
        player.player.play()
        try await player.queueEnds(from: place)
        #expect(server.headers(of: "/other").last?["user-agent"] == "other")
      }
    }
  }

  @Test("A read during which the process of streams ended is repeated once, and its caller decides once")
  func repeatedRead() async throws {
    let bytes = [UInt8](repeating: 1, count: 50_000)
    try await withHTTPServer { server in
      let uri = server.script("/list", .bytes(bytes, type: "text/plain").stalling(at: 20_000))
      try await withProcessPlayer([]) { player in
        let decisions = EventLog<Void>()
        let read: @Sendable () async -> Result<MediaContent?, PlayerError> = {
          await result { () throws(PlayerError) in
            try await player.engine.read(
              uri, headers: nil, byteLimit: 1 << 20, timeout: Self.limit, forPlayback: false
            ) { _, _ in
              decisions.append(())
              return true
            }
          }
        }
        func killProcess() throws { #expect(kill(try #require(player.engine.deckProcessIDs.first), SIGKILL) == 0) }
        /// Kills the process after a decision, and waits until another one has requested the content.
        func replaceProcess(after decision: Int) async throws {
          try await decisions.first("the decision", from: decision, within: 60)
          let place = server.events.count
          try killProcess()
          try await server.events.first("the next request", from: place, within: 60) {
            $0 == .requested(path: "/list", rangeStart: nil)
          }
        }
        async let failed = read()
        try await replaceProcess(after: 0)
        try killProcess()
        let error = PlayerError(code: .engineEnded, message: "the streaming process ended: signal 9 (SIGKILL)")
        #expect(await failed == .failure(error))
        #expect(decisions.count == 1)
        async let repeated = read()
        try await replaceProcess(after: 1)
        server.release("/list")
        #expect(await repeated == .success(MediaContent(uri: uri, mediaType: "text/plain", bytes: bytes)))
        #expect(decisions.count == 2)
      }
    }
  }
}
