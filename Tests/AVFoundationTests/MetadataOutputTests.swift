import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AVFoundation
@testable import Playback

/// Tests of the output of timed metadata, on an output that plays in real time.
@MainActor
@Suite("Metadata outputs", .enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct MetadataOutputTests {
  /// A delegate that records the groups and flushes on its queue.
  private final class Delegate: NSObject, AVPlayerItemMetadataOutputPushDelegate, Sendable {
    let log = EventLog<String>()
    let ranges = EventLog<CMTimeRange>()
    let queue = DispatchQueue(label: "metadata")

    func metadataOutput(
      _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
      from track: AVPlayerItemTrack?
    ) {
      dispatchPrecondition(condition: .onQueue(queue))
      for group in groups {
        ranges.append(group.timeRange)
        for item in group.items { log.append(item.stringValue ?? "") }
      }
    }

    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {
      dispatchPrecondition(condition: .onQueue(queue))
      log.append("flushed")
    }
  }

  private let record = Record()
  private let delegate = Delegate()

  /// Writes a file with the chapters One, Two and Three, at 0 s, 0.5 s and 1 s, of a silence.
  private func chapters(in directory: TemporaryDirectory, seconds: Int = 2) throws -> URL {
    var file = Matroska()
    file.clusters = seconds * 10
    file.editions = [[.init(0, 0.5, "One"), .init(0.5, 1, "Two"), .init(1, Double(seconds), "Three")]]
    return URL(fileURLWithPath: try directory.write(file.bytes, to: "chapters.mka"))
  }

  private func output(_ identifiers: [AVMetadataIdentifier]? = nil) -> AVPlayerItemMetadataOutput {
    let output = AVPlayerItemMetadataOutput(identifiers: identifiers?.map(\.rawValue))
    output.setDelegate(delegate, queue: delegate.queue)
    return output
  }

  @Test("The delegate receives each chapter in order on its queue, and a seek flushes the output first")
  func order() async throws {
    try await withSilentPlayers {
      try await withTemporaryDirectory { directory in
        let item = AVPlayerItem(url: try chapters(in: directory, seconds: 20))
        let output = output([.commonIdentifierTitle])
        item.add(output)
        #expect(item.outputs == [output])
        let player = AVPlayer(playerItem: item)
        player.play()
        try await delegate.log.first("the last chapter", within: 20) { $0 == "Three" }
        #expect(delegate.log.elements == ["One", "Two", "Three"])
        #expect(delegate.ranges.elements.map(\.start.seconds) == [0, 0.5, 1])
        #expect(delegate.ranges.elements.prefix(2).map(\.duration.seconds) == [0.5, 0.5])
        player.pause()
        #expect(await player.seek(to: CMTime(value: 6, timescale: 10), toleranceBefore: .zero, toleranceAfter: .zero))
        try await delegate.log.first("the chapter at the target", from: 3, within: 20) { $0 == "Two" }
        #expect(delegate.log.elements == ["One", "Two", "Three", "flushed", "Two"])
      }
    }
  }

  @Test("A timed ID3 tag becomes a group with one item for each frame")
  func id3() throws {
    var fields = MediaMetadata()
    fields.title = "One"
    let tag = ID3Metadata(
      fields: fields,
      frames: [
        .init(id: "TXXX", name: "key", bytes: Array("value".utf8)), .init(id: "PRIV", name: "owner", bytes: [1, 2]),
        .init(id: "GEOB", bytes: [3]),
      ])
    let metadata = Player.TimedMetadata(
      item: Player.Item(uri: "file:///a"), time: .milliseconds(1500), duration: nil, content: .id3(tag))
    let group = try #require(metadata.group(withIdentifiers: []))
    #expect(group.timeRange.start.seconds == 1.5 && group.timeRange.duration == .indefinite)
    #expect(group.items.map { $0.identifier?.rawValue } == ["id3/TIT2", "id3/TXXX", "id3/PRIV", "id3/GEOB"])
    #expect(group.items.map { $0.extraAttributes?[.info] as? String } == [nil, "key", "owner", nil])
    #expect(group.items.map(\.stringValue) == ["One", "value", nil, nil])
    #expect(group.items.map(\.dataValue)[2...] == [Data([1, 2]), Data([3])])
    let selected = metadata.group(withIdentifiers: [AVMetadataIdentifier("id3/PRIV")])
    #expect(selected?.items.map { $0.identifier?.rawValue } == ["id3/PRIV"])
  }

  @Test("An output that is removed, or whose identifiers do not match, delivers nothing")
  func silence() async throws {
    try await withSilentPlayers {
      try await withTemporaryDirectory { directory in
        let (removed, other) = (Delegate(), Delegate())
        let item = AVPlayerItem(url: try chapters(in: directory))
        let end = record.notifications(AVPlayerItem.didPlayToEndTimeNotification, of: item, as: "end")
        let player = AVPlayer(playerItem: item)
        let outputs = (output(), output([.icyMetadataStreamTitle]), output())
        outputs.0.setDelegate(removed, queue: removed.queue)
        outputs.1.setDelegate(other, queue: other.queue)
        for output in [outputs.0, outputs.1, outputs.2] { item.add(output) }
        item.remove(outputs.0)
        #expect(item.outputs == [outputs.1, outputs.2])
        player.play()
        try await record.first("end")
        for queue in [delegate.queue, removed.queue, other.queue] { queue.sync {} }
        #expect(removed.log.elements.isEmpty && other.log.elements.isEmpty)
        #expect(delegate.log.elements == ["One", "Two", "Three"])
        NotificationCenter.default.removeObserver(end)
      }
    }
  }

  @Test("An advance delivers metadata early; each item of a queue has its own output")
  func advance() async throws {
    try await withSilentPlayers {
      try await withTemporaryDirectory { directory in
        let first = AVPlayerItem(url: try chapters(in: directory, seconds: 20))
        let second = AVPlayerItem(url: try chapters(in: directory, seconds: 20))
        let early = output()
        early.advanceIntervalForDelegateInvocation = 10
        second.add(early)
        #expect(early.advanceIntervalForDelegateInvocation == 10)
        let player = AVQueuePlayer(items: [first, second])
        // Prepared and paused: no time passes.
        try await first.settled()
        player.advanceToNextItem()
        try await second.settled()
        try await delegate.log.first("the last chapter", within: 20) { $0 == "Three" }
        #expect(delegate.log.elements == ["One", "Two", "Three"])
        #expect(player.timeControlStatus == .paused && second.currentTime() == .zero)
      }
    }
  }

  @Test(
    "An output has the newest player and advance also if a change of them interrupts an older one",
    arguments: [true, false])
  func interruptedConnection(hasPlayer: Bool) async throws {
    try await withSilentPlayers {
      try await withTemporaryDirectory { directory in
        let first = AVPlayerItem(url: try chapters(in: directory, seconds: 20))
        let second = AVPlayerItem(url: try chapters(in: directory, seconds: 20))
        let player = AVQueuePlayer(items: hasPlayer ? [first, second] : [first])
        let output = InterruptedOutput(identifiers: nil)
        output.setDelegate(delegate, queue: delegate.queue)
        second.add(output)
        let interruption = InterruptedOutput.Interruption {
          player.insert(second, after: nil)
          output.advanceIntervalForDelegateInvocation = 10
        }
        output.interruption.withLock { $0 = interruption }
        output.advanceIntervalForDelegateInvocation = 0
        #expect(output.advanceIntervalForDelegateInvocation == 10 && player.items() == [first, second])
        // Prepared and paused: no time passes.
        try await first.settled()
        player.advanceToNextItem()
        try await second.settled()
        try await delegate.log.first("the last chapter", within: 20) { $0 == "Three" }
        #expect(delegate.log.elements == ["One", "Two", "Three"])
      }
    }
  }

  @Test("An output is in one item at most, and does not retain its delegate")
  func ownership() throws {
    let (first, second) = (AVPlayerItem(url: URL(fileURLWithPath: "/a")), AVPlayerItem(url: URL(fileURLWithPath: "/b")))
    let output = AVPlayerItemMetadataOutput(identifiers: nil)
    var delegate: Delegate? = Delegate()
    output.setDelegate(delegate, queue: nil)
    #expect(output.delegate === delegate && output.delegateQueue == nil)
    delegate = nil
    #expect(output.delegate == nil)
    first.add(output)
    second.add(output)
    #expect(first.outputs == [output] && second.outputs.isEmpty)
    second.remove(output)
    first.remove(output)
    second.add(output)
    #expect(first.outputs.isEmpty && second.outputs == [output])
    #expect(!output.itemTime(forHostTime: 1).isValid)
  }

  @Test("Titles of stations, chapters and lines of lyrics have their identifiers, keys and ranges")
  func groups() throws {
    let item = Player.Item(uri: "file:///song")
    func group(
      _ content: Player.TimedMetadata.Content, duration: Duration? = nil, _ identifiers: [AVMetadataIdentifier] = []
    ) -> AVTimedMetadataGroup? {
      Player.TimedMetadata(item: item, time: .milliseconds(1500), duration: duration, content: content)
        .group(withIdentifiers: identifiers)
    }
    let title = try #require(group(.streamTitle("Song")))
    #expect(title.timeRange.start == CMTime(value: 15, timescale: 10) && title.timeRange.duration.isIndefinite)
    #expect(title.items.map(\.identifier) == [.icyMetadataStreamTitle])
    #expect(title.items.map(\.commonKey) == [.commonKeyTitle] && title.items.map(\.stringValue) == ["Song"])
    let line = try #require(group(.lyrics("Line"), duration: .seconds(2)))
    #expect(line.timeRange.duration == CMTime(value: 2, timescale: 1) && line.items.first?.time == line.timeRange.start)
    #expect(line.items.map(\.identifier) == [.id3MetadataSynchronizedLyric])
    let chapter = Player.TimedMetadata.Content.chapter(Chapter(start: .zero, title: "A"))
    #expect(group(chapter)?.items.map(\.commonKey) == [.commonKeyTitle])
    for content in [.streamTitle("Song"), chapter] {
      #expect(group(content, [.commonIdentifierTitle])?.items.count == 1)
    }
    #expect(group(.lyrics("Line"), [.commonIdentifierTitle]) == nil)
    #expect(group(.chapter(Chapter(start: .zero, title: nil)))?.items == [])
  }

  @Test("An output converts host times to times of the item while it plays")
  func hostTime() async throws {
    try await withSilentPlayers {
      let item = AVPlayerItem(url: try await sine(20))
      let output = output()
      item.add(output)
      let player = AVPlayer(playerItem: item)
      player.play()
      let (reached, reach) = AsyncStream.makeStream(of: Void.self)
      let observer = player.addBoundaryTimeObserver(
        forTimes: [NSValue(time: CMTime(value: 1, timescale: 2))], queue: nil
      ) { reach.yield() }
      for await _ in reached { break }
      player.removeTimeObserver(observer)
      let now = ProcessInfo.processInfo.systemUptime
      let (present, later) = (output.itemTime(forHostTime: now), output.itemTime(forHostTime: now + 2))
      // A correction of the position changes its rate for a short time.
      #expect(abs((later - present).seconds - 2) < 0.15)
      #expect(present.seconds >= 0.4)
    }
  }
}

/// An output whose next connection is interrupted after it has read the player and the advance.
private final class InterruptedOutput: AVPlayerItemMetadataOutput, @unchecked Sendable {  // adds a lock
  struct Interruption: Sendable {
    let run: @Sendable () -> Void
  }

  let interruption = Mutex<Interruption?>(nil)

  override var advanceIntervalForDelegateInvocation: TimeInterval {
    get {
      let advance = super.advanceIntervalForDelegateInvocation
      interruption.withLock { $0.take() }?.run()
      return advance
    }
    set { super.advanceIntervalForDelegateInvocation = newValue }
  }
}
