import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of the signals that clients receive.
@Suite struct ChangeTests {
  @Test("Without a change no signal is emitted")
  func unchanged() async throws {
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

  @Test("One transition emits one signal with only the changed properties")
  func transition() async throws {
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

  @Test("A track change emits one signal with the metadata and all other changed properties")
  func trackChange() async throws {
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

  @Test("Each property is sent when it changes, without any other property")
  func eachProperty() async throws {
    let changes: [(String, (inout MPRISSnapshot) -> Void)] = [
      ("LoopStatus", { $0.loop = .track }), ("Shuffle", { $0.shuffle = true }), ("Rate", { $0.rate = 2 }),
      ("Volume", { $0.volume = 0.5 }), ("MinimumRate", { $0.minimumRate = 0.5 }), ("CanPlay", { $0.canPlay = false }),
      ("MaximumRate", { $0.maximumRate = 9 }), ("CanPause", { $0.canPause = false }),
      ("CanSeek", { $0.canSeek = false }), ("CanGoNext", { $0.canGoNext = false }),
      ("CanGoPrevious", { $0.canGoPrevious = false }), ("CanQuit", { $0.canQuit = false }),
      ("Metadata", { $0.metadata = .none }),
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

  @Test("Constant properties are never sent")
  func constant() async throws {
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

  @Test("Seeked contains the new position")
  func seeked() async throws {
    try await withServedPlayer { served in
      let first = served.seeks.count
      try await served.call("Seek", .int64(5_000_000))
      #expect(try await served.seeks.first("Seeked", from: first).element == 65_000_000)
      served.fake.send(.seeked(to: .seconds(-1)))
      #expect(try await served.seeks.first("Seeked", from: first + 1).element == 0)
    }
  }

  @Test(
    "Seeked follows the PropertiesChanged of the same event",
    .enabled(if: Tool.areAvailable("dbus-monitor"), "dbus-monitor shows the order of signals"))
  func seekedOrder() async throws {
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

  @Test(
    "The Can… properties precede the metadata in the same signal",
    .enabled(if: Tool.areAvailable("dbus-monitor"), "dbus-monitor shows the order of entries"))
  func capabilitiesOrder() async throws {
    try await withServedPlayer { served in
      let arguments = ["dbus-monitor", "--address", served.bus.address, "type=signal,member=PropertiesChanged"]
      try await withChildProcess(arguments) { monitor in
        try await monitor.waitForLine(containing: "NameLost")
        served.fake.change {
          $0.metadata = MPRISMetadata(MPRISMetadata.Fields(trackID: MPRISTrackID(9, in: .example), title: "Nine"))
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
