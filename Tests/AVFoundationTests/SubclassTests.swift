import AVFoundation
import TestSupport
import Testing

/// Tests of classes of a program, from outside of the module.
@MainActor @Suite struct SubclassTests {
  /// An item that records its calls, and refuses to select a track.
  private final class RecordedItem: AVPlayerItem {
    nonisolated let calls = EventLog<String>()

    nonisolated override func accessLog() -> AVPlayerItemAccessLog? {
      calls.append("accessLog")
      return super.accessLog()
    }
    nonisolated override func errorLog() -> AVPlayerItemErrorLog? {
      calls.append("errorLog")
      return super.errorLog()
    }
    nonisolated override func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
      calls.append("select")
    }
    nonisolated override func add(_ output: AVPlayerItemOutput) {
      calls.append("add")
      super.add(output)
    }
    nonisolated override func remove(_ output: AVPlayerItemOutput) {
      calls.append("remove")
      super.remove(output)
    }
    nonisolated override var outputs: [AVPlayerItemOutput] { super.outputs.reversed() }
    nonisolated override var preferredPeakBitRate: Double {
      get { super.preferredPeakBitRate }
      set { super.preferredPeakBitRate = newValue * 2 }
    }
  }

  /// Criteria whose languages are known later.
  private final class LateCriteria: AVPlayerMediaSelectionCriteria, @unchecked Sendable {  // adds no state
    override var preferredLanguages: [String]? { ["de"] }
  }

  /// A player that has its own criteria.
  private final class GermanPlayer: AVPlayer {
    nonisolated override func mediaSelectionCriteria(
      forMediaCharacteristic characteristic: AVMediaCharacteristic
    ) -> AVPlayerMediaSelectionCriteria? {
      super.mediaSelectionCriteria(forMediaCharacteristic: characteristic)
        ?? LateCriteria(preferredLanguages: nil, preferredMediaCharacteristics: nil)
    }
    nonisolated override func setMediaSelectionCriteria(
      _ criteria: AVPlayerMediaSelectionCriteria?, forMediaCharacteristic characteristic: AVMediaCharacteristic
    ) {
      super.setMediaSelectionCriteria(
        characteristic == .audible ? criteria : nil, forMediaCharacteristic: characteristic)
    }
  }

  private final class NamedItem: AVMutableMetadataItem, @unchecked Sendable {  // adds no state
    override var locale: Locale? {
      get { Locale(identifier: "de") }
      set { super.locale = newValue }
    }
  }

  @Test("A subclass of an item overrides its logs, outputs, selection and settings")
  func item() {
    let item = RecordedItem(url: URL(fileURLWithPath: Media.missing))
    let outputs = [AVPlayerItemMetadataOutput(), AVPlayerItemMetadataOutput()]
    for output in outputs { item.add(output) }
    #expect(item.outputs == outputs.reversed())
    item.remove(outputs[0])
    #expect(item.outputs == [outputs[1]] && item.accessLog() == nil && item.errorLog() == nil)
    #expect(item.calls.elements == ["add", "add", "remove", "accessLog", "errorLog"])
    item.preferredPeakBitRate = 64_000
    #expect(item.preferredPeakBitRate == 128_000)
  }

  @Test("A subclass of a player overrides the criteria of media selection, and criteria override their languages")
  func criteria() throws {
    let player = GermanPlayer()
    #expect(player.mediaSelectionCriteria(forMediaCharacteristic: .audible)?.preferredLanguages == ["de"])
    let french = AVPlayerMediaSelectionCriteria(preferredLanguages: ["fr"], preferredMediaCharacteristics: nil)
    for characteristic in [AVMediaCharacteristic.audible, .legible] {
      player.setMediaSelectionCriteria(french, forMediaCharacteristic: characteristic)
    }
    #expect(player.mediaSelectionCriteria(forMediaCharacteristic: .audible) === french)
    #expect(player.mediaSelectionCriteria(forMediaCharacteristic: .legible)?.preferredLanguages == ["de"])
  }

  @Test("A subclass of a mutable metadata item overrides its properties")
  func metadata() {
    let item = NamedItem()
    item.locale = Locale(identifier: "fr")
    #expect(item.locale == Locale(identifier: "de") && item.extendedLanguageTag == "fr")
  }
}
