import Playback
import Testing

@testable import GstPlayer

@Suite("Last tags") struct LastTagsTests {
  private let last = LastTags()

  private func tags(_ bitRate: Int?, title: String = "One") -> MediaMetadata {
    var tags = MediaMetadata()
    (tags.title, tags.bitRate) = (title, bitRate)
    return tags
  }

  private func passes(_ tags: MediaMetadata, of stream: UInt64 = 3, _ scope: TagScope = .stream) -> Bool {
    last.replace(with: tags, of: StreamToken(number: stream), about: scope)
  }

  @Test("Tags with slightly different bit rates are dropped until they differ from the first by more than a tenth")
  func bitRate() {
    #expect(passes(tags(700_000)))
    for bitRate in [701_000, 740_000, 770_000, 630_000] { #expect(!passes(tags(bitRate)), "\(bitRate)") }
    #expect(passes(tags(771_000)))
    #expect(!passes(tags(702_000)))
    #expect(passes(tags(690_000)))
  }

  @Test("Any other difference passes, and so do equal tags")
  func otherChanges() {
    #expect(passes(tags(700_000)))
    #expect(passes(tags(700_000)))
    #expect(passes(tags(701_000, title: "Two")))
    #expect(passes(tags(nil, title: "Two")))
    #expect(passes(tags(700_000, title: "Two")))
  }

  @Test("Each stream and each scope has its own tags")
  func streams() {
    #expect(passes(tags(700_000)))
    #expect(passes(tags(701_000), .item))
    #expect(passes(tags(701_000), of: 4))
    #expect(!passes(tags(702_000), of: 4))
  }

  @Test("After another song has begun, the next tags pass")
  func forgotten() {
    #expect(passes(tags(700_000)))
    last.forget()
    #expect(passes(tags(701_000)))
  }
}
