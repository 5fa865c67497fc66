import DBus
import MPRISService
import TestSupport
import Testing

/// What clients are told without asking.
@Suite struct ChangeTests {
  @Test func `While nothing changes nothing is told`() async throws {
    try await withServedPlayer { served in
      let changes = try await served.changes {
        for _ in 1...100 { served.fake.send(.changed) }
        served.fake.change { $0.position += .seconds(1) }
        _ = try await served.getAll()
      }
      #expect(changes.isEmpty)
      #expect(served.seeks.count == 2)
    }
  }

  @Test func `One transition is one signal with the changed properties only`() async throws {
    try await withServedPlayer { served in
      let first = served.changes.count
      served.fake.change { $0.status = .paused }
      let change = try await served.change(from: first)
      #expect(change.interface == "org.mpris.MediaPlayer2.Player")
      #expect(change.values == ["PlaybackStatus": .string("Paused")])
      #expect(change.invalidated.isEmpty)
      #expect(try await served.settle(from: first).count == 2)
    }
  }

  @Test func `A change of track is one signal, with the metadata and whatever else it changes`() async throws {
    try await withServedPlayer { served in
      let first = served.changes.count
      served.fake.change { snapshot in
        (snapshot.metadata, snapshot.position) = (.example(number: 8), .zero)
        (snapshot.status, snapshot.canGoNext) = (.paused, false)
      }
      let change = try await served.change(from: first)
      #expect(change.keys == ["Metadata", "PlaybackStatus", "CanGoNext"])
      #expect(change.values["Metadata"]?.asDictionary?["mpris:trackid"] == .objectPath("/org/example/track/8"))
      #expect(try await served.settle(from: first).count == 2)
      #expect(served.seeks.count == 2)
    }
  }

  @Test func `Each property is told when it changes, and alone`() async throws {
    let changes: [(String, (inout PlayerSnapshot) -> Void)] = [
      ("LoopStatus", { $0.loop = .track }), ("Shuffle", { $0.shuffle = true }), ("Rate", { $0.rate = 2 }),
      ("Volume", { $0.volume = 0.5 }), ("MinimumRate", { $0.minimumRate = 0.5 }), ("CanPlay", { $0.canPlay = false }),
      ("MaximumRate", { $0.maximumRate = 9 }), ("CanPause", { $0.canPause = false }),
      ("CanSeek", { $0.canSeek = false }), ("CanGoNext", { $0.canGoNext = false }),
      ("CanGoPrevious", { $0.canGoPrevious = false }), ("CanQuit", { $0.canQuit = false }),
      ("CanRaise", { $0.canRaise = false }), ("Metadata", { $0.metadata = .none }),
    ]
    try await withServedPlayer { served in
      for (name, change) in changes {
        let first = served.changes.count
        served.fake.change(change)
        let keys = try await served.change(from: first).keys
        #expect(keys == [name])
      }
    }
  }

  @Test func `What never changes is never told`() async throws {
    try await withServedPlayer { served in
      let changes = try await served.changes {
        served.fake.change { snapshot in
          (snapshot.identity, snapshot.desktopEntry) = ("Other", "other")
          (snapshot.supportedURISchemes, snapshot.supportedMIMETypes) = (["http"], [])
        }
      }
      #expect(changes.isEmpty)
    }
  }

  @Test func `Seeked carries the new position`() async throws {
    try await withServedPlayer { served in
      let first = served.seeks.count
      try await served.call("Seek", .int64(5_000_000))
      #expect(try await served.seeks.first("Seeked", from: first).element == 65_000_000)
      served.fake.send(.seeked(to: .seconds(-1)))
      #expect(try await served.seeks.first("Seeked", from: first + 1).element == 0)
    }
  }

  @Test(.enabled(if: Tool.areAvailable("dbus-monitor"), "dbus-monitor shows the order of signals"))
  func `Seeked comes after the PropertiesChanged of the same event`() async throws {
    try await withServedPlayer { served in
      let arguments = ["dbus-monitor", "--address", served.bus.address, "--profile", "type=signal"]
      try await withChildProcess(arguments) { monitor in
        try await monitor.waitForLine(containing: "NameLost")
        for rate in 10..<20 {
          let first = monitor.lines.count
          served.fake.show { $0.minimumRate = Double(rate) }
          served.fake.send(.seeked(to: .seconds(1)))
          try await monitor.waitForLine(containing: "Seeked", from: first)
          let members = monitor.lines.elements[first...].compactMap { $0.text.split(separator: "\t").last }
          #expect(members == ["PropertiesChanged", "Seeked"])
        }
      }
    }
  }

  @Test(.enabled(if: Tool.areAvailable("dbus-monitor"), "dbus-monitor shows the order of entries"))
  func `What can be done is told before the metadata of the same signal`() async throws {
    try await withServedPlayer { served in
      let arguments = ["dbus-monitor", "--address", served.bus.address, "type=signal,member=PropertiesChanged"]
      try await withChildProcess(arguments) { monitor in
        try await monitor.waitForLine(containing: "NameLost")
        served.fake.change {
          $0.metadata = Metadata(Metadata.Fields(trackID: TrackID(9, in: .example), title: "Nine"))
          $0.canGoNext.toggle()
          $0.canGoPrevious.toggle()
        }
        let able = try await monitor.waitForLine(containing: "CanGoPrevious")
        let metadata = try await monitor.waitForLine(containing: "\"Metadata\"")
        #expect(able.index < metadata.index)
        let signals = monitor.lines.elements.filter { $0.text.contains("member=PropertiesChanged") }
        #expect(signals.count == 1)
      }
    }
  }
}
