import DBus
import MPRISService
import PlayerdInterfaces
import TestSupport
import Testing

/// What everybody who watches is told without asking.
@Suite struct MonitorSignalTests {
  private let track = TrackID(7, in: .example)

  private func path(_ number: UInt64) -> Value { .objectPath(TrackID(number, in: .example).path) }
  private let none = Value.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")

  @Test func `Each event is the signal of its name, with its values`() async throws {
    let failure = MonitorSnapshot.Failure(code: "not-found", message: "not found", uri: "file:///a")
    let events: [(MonitorEvent, MemberName, [Value])] = [
      (.trackEnded(track), "ItemDidPlayToEnd", [path(7)]),
      (.trackFailed(track, failure), "ItemFailedToPlayToEnd", [path(7), .string("not-found"), .string("not found")]),
      (.stalled(track, position: .seconds(3)), "PlaybackStalled", [path(7), .int64(3_000_000)]),
      (.jumped(track, from: .seconds(3), to: .zero), "TimeJumped", [path(7), .int64(3_000_000), .int64(0)]),
      (.aboutToFinish(track, remaining: .seconds(10)), "AboutToFinish", [path(7), .int64(10_000_000)]),
      (.chapterChanged(track, index: 2, title: "Two"), "ChapterChanged", [path(7), .int32(2), .string("Two")]),
      (.chapterChanged(track, index: nil, title: ""), "ChapterChanged", [path(7), .int32(-1), .string("")]),
    ]
    try await withServedMonitor { served in
      for (event, member, arguments) in events {
        let heard = try await served.heard { served.fake.send(event) }
        #expect(heard.map(\.member) == [member])
        #expect(heard.first?.arguments == arguments)
      }
    }
  }

  @Test func `A change of chapter is told with the property`() async throws {
    try await withServedMonitor { served in
      let heard = try await served.heard {
        served.fake.show { $0.currentChapter = 3 }
        served.fake.send(.chapterChanged(track, index: 3, title: "Three"))
      }
      #expect(heard.map(\.member) == ["ChapterChanged", "PropertiesChanged"])
      #expect(heard.last?.properties == ["CurrentChapter": .int32(3)])
    }
  }

  @Test func `While nothing changes nothing is sent`() async throws {
    try await withServedMonitor { served in
      let heard = try await served.heard { for _ in 1...100 { served.fake.send(.changed) } }
      #expect(heard.isEmpty)
    }
  }

  @Test func `One transition is one PropertiesChanged, by value, with the changed properties only`() async throws {
    try await withServedMonitor { served in
      let heard = try await served.heard {
        served.fake.change { snapshot in
          (snapshot.timeControlStatus, snapshot.waitingReason) = (.waitingToPlay, .toMinimizeStalls)
          (snapshot.bufferingPercent, snapshot.isPlaybackBufferFull) = (0, false)
          (snapshot.isPlaybackBufferEmpty, snapshot.isPlaybackLikelyToKeepUp) = (true, false)
          (snapshot.anchor.position, snapshot.anchor.rate) = (.seconds(4), 0)
        }
      }
      #expect(heard.count == 1)
      #expect(heard.first?.arguments.first == .string("org.playerd.Monitor1"))
      #expect(heard.first?.arguments.last == .strings([]))
      #expect(
        heard.first?.properties == [
          "TimeControlStatus": .string("waitingToPlay"), "ReasonForWaitingToPlay": .string("toMinimizeStalls"),
          "BufferingPercent": .uint32(0), "IsPlaybackBufferFull": .boolean(false),
          "IsPlaybackBufferEmpty": .boolean(true), "IsPlaybackLikelyToKeepUp": .boolean(false),
          "PositionAnchor": .structure([.int64(4_000_000), .int64(5_000_000), .double(0)]),
        ])
    }
  }

  @Test func `Each property reads as the snapshot says`() async throws {
    try await withServedMonitor { served in
      served.fake.show { snapshot in
        snapshot.itemStatus = .failed
        snapshot.duration = nil
        snapshot.loadedTimeRanges = [.zero..<(.seconds(1)), .seconds(5)..<(.seconds(7))]
        snapshot.seekableTimeRanges = []
        snapshot.chapters = [.init(start: .zero, duration: .seconds(60), title: "One")]
        snapshot.currentChapter = 0
        snapshot.lastFailure = .init(code: "tls", message: "no", uri: "https://x")
        snapshot.track = TrackID(8, in: .example)
      }
      let expected: [(String, Value)] = [
        ("ItemStatus", .string("failed")), ("TimeControlStatus", .string("playing")),
        ("ReasonForWaitingToPlay", .string("")), ("Duration", .int64(-1)), ("CurrentChapter", .int32(0)),
        (
          "LoadedTimeRanges",
          .array(
            "(xx)",
            [.structure([.int64(0), .int64(1_000_000)]), .structure([.int64(5_000_000), .int64(2_000_000)])])
        ),
        ("SeekableTimeRanges", .array("(xx)", [])),
        ("Chapters", .array("(xxs)", [.structure([.int64(0), .int64(60_000_000), .string("One")])])),
        ("LastError", .structure([.string("tls"), .string("no"), .string("https://x")])),
        ("PositionAnchor", .structure([.int64(0), .int64(5_000_000), .double(1)])),
      ]
      for (name, value) in expected {
        let read = try await served.client.get(name)
        #expect(read == value, "\(name)")
      }
    }
  }

  @Test func `With nothing loaded all is empty, and paused without a reason`() async throws {
    let expected: [(String, Value)] = [
      ("TimeControlStatus", .string("paused")), ("ReasonForWaitingToPlay", .string("")),
      ("ItemStatus", .string("unknown")), ("Duration", .int64(-1)), ("CurrentChapter", .int32(-1)),
      ("LastError", .structure([.string(""), .string(""), .string("")])),
    ]
    try await withServedMonitor(MonitorSnapshot()) { served in
      for (name, value) in expected {
        let read = try await served.client.get(name)
        #expect(read == value, "\(name)")
      }
    }
  }

  // MARK: Ranges

  @Test func `Ranges are told four times a second at the most, and the last one always`() async throws {
    try await withServedMonitor { served in
      let clock = ContinuousClock()
      let start = clock.now
      let heard = try await served.heard {
        for second in 1...400 {
          served.fake.change { $0.loadedTimeRanges = [.zero..<(.seconds(second))] }
          _ = try await served.client.get("Duration")
        }
        let last = Value.array("(xx)", [.structure([.int64(0), .int64(400_000_000)])])
        _ = try await served.client.signals.first("the last range") { $0.properties?["LoadedTimeRanges"] == last }
      }
      let quarters = Int(start.duration(to: clock.now) / .milliseconds(250))
      #expect(heard.count <= quarters + 2)
      #expect(Set(heard.compactMap { $0.properties.map { Set($0.keys) } }) == [["LoadedTimeRanges"]])
    }
  }

  @Test func `All else is told at once while ranges wait, and a new track's ranges with it`() async throws {
    try await withServedMonitor { served in
      let early = try await served.heard {
        served.fake.change { ($0.loadedTimeRanges, $0.bufferingPercent) = ([], 50) }
      }
      #expect(early.contains { $0.properties?["BufferingPercent"] == .uint32(50) })
      served.fake.show { snapshot in
        snapshot.track = TrackID(8, in: .example)
        snapshot.loadedTimeRanges = [.zero..<(.seconds(2))]
      }
      let late = try await served.heard {
        served.fake.send(.trackChanged(TrackID(8, in: .example)))
        served.fake.send(.changed)
      }
      #expect(late.contains { $0.properties?.keys.contains("LoadedTimeRanges") == true })
    }
  }

  // MARK: Track boundaries

  @Test func `At an automatic change the end comes first, then the boundary, then what has changed`() async throws {
    try await withServedMonitor { served in
      let after = EventLog<Int>()
      let heard = try await served.heard {
        served.fake.show { snapshot in
          snapshot = .playing(8, since: 185_000_000)
          snapshot.duration = .seconds(100)
        }
        served.fake.send(.trackEnded(track)) { [count = served.client.signals] in after.append(count.count) }
        served.fake.send(.trackChanged(TrackID(8, in: .example)))
        served.fake.send(.changed)
      }
      #expect(heard.map(\.member) == ["ItemDidPlayToEnd", "TrackBoundary", "PropertiesChanged"])
      #expect(heard.dropFirst().first?.arguments == [path(7), path(8), .int64(185_000_000)])
      #expect(after.count == 1)
    }
  }

  @Test func `News that a change of track has overtaken are told after its own`() async throws {
    try await withServedMonitor { served in
      let heard = try await served.heard {
        served.fake.show { snapshot in
          snapshot = .playing(8, since: 185_000_000)
          snapshot.duration = .seconds(100)
        }
        served.fake.send(.changed)
        served.fake.send(.trackEnded(track))
        served.fake.send(.trackChanged(TrackID(8, in: .example)))
        served.fake.send(.changed)
      }
      #expect(heard.map(\.member) == ["ItemDidPlayToEnd", "TrackBoundary", "PropertiesChanged"])
    }
  }

  @Test func `A track is heard from its first sample on, and not while it loads`() async throws {
    try await withServedMonitor(MonitorSnapshot()) { served in
      var heard = try await served.heard {
        served.fake.show { $0.track = TrackID(7, in: .example) }
        served.fake.send(.trackChanged(track))
        served.fake.change { ($0.timeControlStatus, $0.waitingReason) = (.waitingToPlay, .evaluatingBufferingRate) }
      }
      #expect(heard.map(\.member) == ["PropertiesChanged"])
      heard = try await served.heard { served.fake.change { $0 = .playing(7, since: 9_000_000) } }
      #expect(heard.map(\.member) == ["TrackBoundary", "PropertiesChanged"])
      #expect(heard.first?.arguments == [none, path(7), .int64(9_000_000)])
    }
  }

  @Test func `Tracks that are skipped before they are heard are passed over`() async throws {
    try await withServedMonitor { served in
      let heard = try await served.heard {
        for number: UInt64 in 8...10 {
          served.fake.show { snapshot in
            snapshot.track = TrackID(number, in: .example)
            snapshot.anchor = .init()
          }
          served.fake.send(.trackChanged(TrackID(number, in: .example)))
          served.fake.send(.changed)
        }
        served.fake.change { $0 = .playing(10, since: 11_000_000) }
      }
      #expect(
        heard.filter { $0.member == "TrackBoundary" }.map(\.arguments) == [[path(7), path(10), .int64(11_000_000)]])
    }
  }

  @Test func `At the end of the queue nothing starts; a pause and a jump are no boundaries`() async throws {
    try await withServedMonitor { served in
      let heard = try await served.heard {
        for rate in [0.0, 1, 0, 1] { served.fake.change { $0.anchor.rate = rate } }
        served.fake.send(.trackEnded(track))
        served.fake.send(.jumped(track, from: .seconds(180), to: .zero))
        served.fake.send(.trackEnded(track))
        served.fake.send(.queueEnded)
        served.fake.change { $0.anchor.rate = 0 }
      }
      let boundaries = heard.filter { $0.member == "TrackBoundary" }.map { Array($0.arguments.prefix(2)) }
      #expect(boundaries == [[path(7), none]])
    }
  }

  @Test func `A repetition is a boundary from one passage to the next`() async throws {
    try await withServedMonitor { served in
      let second = TrackID(7, passage: 2, in: .example)
      let heard = try await served.heard {
        served.fake.send(.trackEnded(track))
        served.fake.show { $0.track = second }
        served.fake.send(.trackChanged(second))
        served.fake.send(.changed)
      }
      let boundaries = heard.filter { $0.member == "TrackBoundary" }.map { Array($0.arguments.prefix(2)) }
      #expect(boundaries == [[path(7), .objectPath(second.path)]])
    }
  }

  @Test func `A queue that is emptied ends the track`() async throws {
    try await withServedMonitor { served in
      let heard = try await served.heard {
        served.fake.show { $0 = MonitorSnapshot() }
        served.fake.send(.trackChanged(nil))
      }
      #expect(heard.map { Array($0.arguments.prefix(2)) } == [[path(7), none]])
    }
  }
}
