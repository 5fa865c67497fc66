import DBus
import MPRISService
import PlayerdInterfaces
import TestSupport
import Testing

/// Tests of the signals that all clients receive.
@Suite struct MonitorSignalTests {
  private let track = MPRISTrackID(7, in: .example)

  private func path(_ number: UInt64) -> DBusValue { .objectPath(MPRISTrackID(number, in: .example).path) }
  private let none = DBusValue.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")

  @Test("Each event emits the signal of its name, with its values")
  func events() async throws {
    let failure = MonitorSnapshot.Failure(code: "not-found", message: "not found", uri: "file:///a")
    let events: [(MonitorEvent, MemberName, [DBusValue])] = [
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
        let receivedSignals = try await served.receivedSignals { served.fake.send(event) }
        #expect(receivedSignals.map(\.member) == [member])
        #expect(receivedSignals.first?.arguments == arguments)
      }
    }
  }

  @Test("A chapter change is signalled together with the property")
  func chapter() async throws {
    try await withServedMonitor { served in
      let receivedSignals = try await served.receivedSignals {
        served.fake.show { $0.currentChapter = 3 }
        served.fake.send(.chapterChanged(track, index: 3, title: "Three"))
        served.fake.send(.changed)
      }
      #expect(receivedSignals.map(\.member) == ["ChapterChanged", "PropertiesChanged"])
      #expect(receivedSignals.last?.properties == ["CurrentChapter": .int32(3)])
    }
  }

  @Test("Without a change no signal is emitted")
  func unchanged() async throws {
    try await withServedMonitor { served in
      let receivedSignals = try await served.receivedSignals { for _ in 1...100 { served.fake.send(.changed) } }
      #expect(receivedSignals.isEmpty)
    }
  }

  @Test("One transition emits one PropertiesChanged with the changed values only")
  func transition() async throws {
    try await withServedMonitor { served in
      let receivedSignals = try await served.receivedSignals {
        served.fake.change { snapshot in
          (snapshot.timeControlStatus, snapshot.waitingReason) = (.waitingToPlay, .toMinimizeStalls)
          (snapshot.bufferingPercent, snapshot.isPlaybackBufferFull) = (0, false)
          (snapshot.isPlaybackBufferEmpty, snapshot.isPlaybackLikelyToKeepUp) = (true, false)
          (snapshot.anchor.position, snapshot.anchor.rate) = (.seconds(4), 0)
        }
      }
      #expect(receivedSignals.count == 1)
      #expect(receivedSignals.first?.arguments.first == .string("org.playerd.Monitor1"))
      #expect(receivedSignals.first?.arguments.last == .strings([]))
      #expect(
        receivedSignals.first?.properties == [
          "TimeControlStatus": .string("waitingToPlay"), "ReasonForWaitingToPlay": .string("toMinimizeStalls"),
          "BufferingPercent": .uint32(0), "IsPlaybackBufferFull": .boolean(false),
          "IsPlaybackBufferEmpty": .boolean(true), "IsPlaybackLikelyToKeepUp": .boolean(false),
          "PositionAnchor": .structure([.int64(4_000_000), .int64(5_000_000), .double(0)]),
        ])
    }
  }

  @Test("Each property has the value of the snapshot")
  func properties() async throws {
    try await withServedMonitor { served in
      served.fake.show { snapshot in
        snapshot.itemStatus = .failed
        snapshot.duration = nil
        snapshot.loadedTimeRanges = [.zero..<(.seconds(1)), .seconds(5)..<(.seconds(7))]
        snapshot.seekableTimeRanges = []
        snapshot.chapters = [.init(start: .zero, duration: .seconds(60), title: "One")]
        snapshot.currentChapter = 0
        snapshot.lastFailure = .init(code: "tls", message: "no", uri: "https://x")
        snapshot.track = MPRISTrackID(8, in: .example)
      }
      let expected: [(String, DBusValue)] = [
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

  @Test("Without a track all properties are empty, and the status is paused without a reason")
  func empty() async throws {
    let expected: [(String, DBusValue)] = [
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

  @Test("Time ranges are signalled at most four times a second, and always the last one")
  func rangeLimit() async throws {
    try await withServedMonitor { served in
      let clock = ContinuousClock()
      let start = clock.now
      let receivedSignals = try await served.receivedSignals {
        for second in 1...400 {
          served.fake.change { $0.loadedTimeRanges = [.zero..<(.seconds(second))] }
          _ = try await served.client.get("Duration")
        }
        let last = DBusValue.array("(xx)", [.structure([.int64(0), .int64(400_000_000)])])
        _ = try await served.client.signals.first("the last range") { $0.properties?["LoadedTimeRanges"] == last }
      }
      let quarters = Int(start.duration(to: clock.now) / .milliseconds(250))
      #expect(receivedSignals.count <= quarters + 2)
      #expect(Set(receivedSignals.compactMap { $0.properties.map { Set($0.keys) } }) == [["LoadedTimeRanges"]])
    }
  }

  @Test("Other changes are signalled at once while ranges wait; a new track includes its ranges")
  func rangeOrder() async throws {
    try await withServedMonitor { served in
      let early = try await served.receivedSignals {
        served.fake.change { ($0.loadedTimeRanges, $0.bufferingPercent) = ([], 50) }
      }
      #expect(early.contains { $0.properties?["BufferingPercent"] == .uint32(50) })
      served.fake.show { snapshot in
        snapshot.track = MPRISTrackID(8, in: .example)
        snapshot.loadedTimeRanges = [.zero..<(.seconds(2))]
      }
      let late = try await served.receivedSignals {
        served.fake.send(.trackChanged(MPRISTrackID(8, in: .example)))
        served.fake.send(.changed)
      }
      #expect(late.contains { $0.properties?.keys.contains("LoadedTimeRanges") == true })
    }
  }

  // MARK: Track boundaries

  @Test("At an automatic track change the end is signalled first, then the boundary, then the changes")
  func automaticChange() async throws {
    try await withServedMonitor { served in
      let receivedSignals = try await served.receivedSignals {
        served.fake.show { snapshot in
          snapshot = .playing(8, since: 185_000_000)
          snapshot.duration = .seconds(100)
        }
        served.fake.send(.trackEnded(track))
        served.fake.send(.trackChanged(MPRISTrackID(8, in: .example)))
        served.fake.send(.changed)
      }
      #expect(receivedSignals.map(\.member) == ["ItemDidPlayToEnd", "TrackBoundary", "PropertiesChanged"])
      #expect(receivedSignals.dropFirst().first?.arguments == [path(7), path(8), .int64(185_000_000)])
    }
  }

  @Test("TrackBoundary is emitted at the first sample of a track, not while it loads")
  func firstSample() async throws {
    try await withServedMonitor(MonitorSnapshot()) { served in
      var receivedSignals = try await served.receivedSignals {
        served.fake.show { $0.track = MPRISTrackID(7, in: .example) }
        served.fake.send(.trackChanged(track))
        served.fake.change { ($0.timeControlStatus, $0.waitingReason) = (.waitingToPlay, .evaluatingBufferingRate) }
      }
      #expect(receivedSignals.map(\.member) == ["PropertiesChanged"])
      receivedSignals = try await served.receivedSignals { served.fake.change { $0 = .playing(7, since: 9_000_000) } }
      #expect(receivedSignals.map(\.member) == ["TrackBoundary", "PropertiesChanged"])
      #expect(receivedSignals.first?.arguments == [none, path(7), .int64(9_000_000)])
    }
  }

  @Test("Tracks skipped before they play cause no TrackBoundary")
  func skipped() async throws {
    try await withServedMonitor { served in
      let receivedSignals = try await served.receivedSignals {
        for number: UInt64 in 8...10 {
          served.fake.show { snapshot in
            snapshot.track = MPRISTrackID(number, in: .example)
            snapshot.anchor = .init()
          }
          served.fake.send(.trackChanged(MPRISTrackID(number, in: .example)))
          served.fake.send(.changed)
        }
        served.fake.change { $0 = .playing(10, since: 11_000_000) }
      }
      #expect(
        receivedSignals.filter { $0.member == "TrackBoundary" }.map(\.arguments) == [
          [path(7), path(10), .int64(11_000_000)]
        ])
    }
  }

  @Test("At the end of the queue no track starts; pauses and seeks are not boundaries")
  func queueEnd() async throws {
    try await withServedMonitor { served in
      let receivedSignals = try await served.receivedSignals {
        for rate in [0.0, 1, 0, 1] { served.fake.change { $0.anchor.rate = rate } }
        served.fake.send(.trackEnded(track))
        served.fake.send(.jumped(track, from: .seconds(180), to: .zero))
        served.fake.send(.trackEnded(track))
        served.fake.send(.queueEnded)
        served.fake.change { $0.anchor.rate = 0 }
      }
      let boundaries = receivedSignals.filter { $0.member == "TrackBoundary" }.map { Array($0.arguments.prefix(2)) }
      #expect(boundaries == [[path(7), none]])
    }
  }

  @Test("A repetition is a boundary from one passage to the next")
  func repetition() async throws {
    try await withServedMonitor { served in
      let second = MPRISTrackID(7, passage: 2, in: .example)
      let receivedSignals = try await served.receivedSignals {
        served.fake.send(.trackEnded(track))
        served.fake.show { $0.track = second }
        served.fake.send(.trackChanged(second))
        served.fake.send(.changed)
      }
      let boundaries = receivedSignals.filter { $0.member == "TrackBoundary" }.map { Array($0.arguments.prefix(2)) }
      #expect(boundaries == [[path(7), .objectPath(second.path)]])
    }
  }

  @Test("Clearing the queue ends the track")
  func cleared() async throws {
    try await withServedMonitor { served in
      let receivedSignals = try await served.receivedSignals {
        served.fake.show { $0 = MonitorSnapshot() }
        served.fake.send(.trackChanged(nil))
      }
      #expect(receivedSignals.map { Array($0.arguments.prefix(2)) } == [[path(7), none]])
    }
  }
}
