import AVFoundation
import GstPlayer
import TestSupport
import Testing

/// Tests of observers that name a property as Objective-C does.
@MainActor
struct NamedObservationTests {
  /// Records the calls.
  private final class Observer: AVKeyValueObserver {
    let log = EventLog<String>()

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      guard let change else { return super.observeValue(forKeyPath: keyPath, of: object, change: nil, context: nil) }
      func text(_ key: NSKeyValueChangeKey) -> String { change[key].map { "\($0)" } ?? "-" }
      let isPrior = (change[.notificationIsPriorKey] as? NSNumber)?.boolValue == true
      log.append(
        "\(keyPath ?? "-")\(isPrior ? " prior" : "") \(text(.oldKey)) \(text(.newKey)) \(UInt(bitPattern: context))")
    }
  }

  private let observer = Observer()

  /// The options, and the expected calls when `volume` becomes 0.5.
  private nonisolated static let optionRows: [(NSKeyValueObservingOptions, [String])] = [
    ([], ["volume - - 8"]), ([.new], ["volume - 0.5 8"]), ([.old, .new], ["volume 1.0 0.5 8"]),
    ([.initial, .new], ["volume - 1.0 8", "volume - 0.5 8"]),
    ([.prior, .new, .old], ["volume prior 1.0 - 8", "volume 1.0 0.5 8"]),
  ]

  @Test("The options decide the calls of an observer and their values", arguments: optionRows)
  func options(options: NSKeyValueObservingOptions, expected: [String]) {
    let player = AVPlayer()
    let context = UnsafeMutableRawPointer(bitPattern: 8)
    player.addObserver(observer, forKeyPath: "volume", options: options, context: context)
    player.volume = 0.5
    #expect(observer.log.elements == expected)
  }

  @Test("An observation ends when it is removed with its name and its context")
  func removal() {
    let player = AVPlayer()
    let (one, two) = (UnsafeMutableRawPointer(bitPattern: 1), UnsafeMutableRawPointer(bitPattern: 2))
    player.addObserver(observer, forKeyPath: "muted", context: one)
    player.addObserver(observer, forKeyPath: "muted", context: two)
    player.removeObserver(observer, forKeyPath: "rate")
    player.removeObserver(observer, forKeyPath: "muted", context: one)
    player.isMuted = true
    #expect(observer.log.elements == ["muted - - 2"])
    player.removeObserver(observer, forKeyPath: "muted")
    player.isMuted = false
    #expect(observer.log.count == 1)
  }

  @Test("A released observer is not called, and neither is one of an unknown property")
  func release() {
    let player = AVPlayer()
    var other: Observer? = Observer()
    let log = other?.log
    if let other { player.addObserver(other, forKeyPath: "muted", context: nil) }
    other = nil
    player.addObserver(observer, forKeyPath: "isMuted", context: nil)
    player.isMuted = true
    #expect(log?.count == 0)
    #expect(observer.log.count == 0)
  }

  @Test("A player's property of the current item is reported when the item changes")
  func itemOfPlayer() async throws {
    let item = AVPlayerItem(url: URL(fileURLWithPath: try await Media.sine(seconds: 20)))
    // In real time: an item that ends at once would be paused again when its observers are called.
    let configuration = Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60))
    let player = PlayerDefaults.$configuration.withValue(configuration) { AVPlayer() }
    player.addObserver(observer, forKeyPath: "currentItem.status", options: [.old, .new], context: nil)
    player.addObserver(observer, forKeyPath: "timeControlStatus", options: [.new], context: nil)
    item.addObserver(observer, forKeyPath: "duration", options: [.new], context: nil)
    player.replaceCurrentItem(with: item)
    try await observer.log.first("the item of the player is ready", within: 30) { $0 == "currentItem.status 0 1 0" }
    #expect(observer.log.elements.contains("currentItem.status <null> 0 0"))
    try await observer.log.first("the duration of the item") { $0.hasPrefix("duration - ") }
    player.play()
    try await observer.log.first("the status of the player") { $0.hasPrefix("timeControlStatus - ") }
  }

  @Test("The values have the types of Objective-C")
  func types() {
    let player = AVPlayer()
    let item = AVPlayerItem(url: URL(fileURLWithPath: "/none.flac"))
    final class Values: AVKeyValueObserver {
      var values: [String: Any] = [:]
      override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
      ) {
        if let keyPath { values[keyPath] = change?[.newKey] }
      }
    }
    let values = Values()
    for name in ["status", "duration", "loadedTimeRanges", "playbackBufferEmpty"] {
      item.addObserver(values, forKeyPath: name, options: [.initial, .new], context: nil)
    }
    for name in ["currentItem", "timeControlStatus"] {
      player.addObserver(values, forKeyPath: name, options: [.initial, .new], context: nil)
    }
    #expect((values.values["status"] as? NSNumber)?.intValue == AVPlayerItem.Status.unknown.rawValue)
    #expect((values.values["duration"] as? NSValue)?.timeValue.isIndefinite == true)
    #expect((values.values["loadedTimeRanges"] as? [NSValue])?.isEmpty == true)
    #expect(values.values["playbackBufferEmpty"] as? Bool == true)
    #expect(values.values["currentItem"] is NSNull)
    #expect((values.values["timeControlStatus"] as? NSNumber)?.intValue == 0)
  }
}
