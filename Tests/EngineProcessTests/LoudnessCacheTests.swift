import FoundationEssentials
import Glibc
import Playback
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer

/// Tests of the files that keep measured loudness.
@Suite("Loudness cache")
struct LoudnessCacheTests {
  private static let result = TrackLoudness(
    integrated: -23.25, peak: 0.75, histogram: [0: 1, 467: 2_400, 999: 7], silence: .nanoseconds(9_000_000_001),
    album: "0af3",
    albumGain: LoudnessGain(gain: 5.5, peak: 0.8125))

  @Test("A result is read as it was written, also by another process with a folder that did not exist")
  func stored() throws {
    try withDirectory { directory in
      let cache = LoudnessCache(folder: directory.file("a/b"), digest: GLib.sha256)
      let key = try #require(cache.key(ofFileAt: Array(try directory.write("music", to: "1.flac").utf8)))
      #expect(cache.read(key) == nil)
      cache.write(Self.result, for: key)
      #expect(cache.read(key) == Self.result)
      var silent = Self.result
      (silent.integrated, silent.album, silent.albumGain, silent.histogram) = (nil, nil, nil, [:])
      silent.silence = nil
      cache.write(silent, for: key)
      #expect(cache.read(key) == silent)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("a/b")).count == 1)
    }
  }

  @Test(
    "A text that is damaged, incomplete or of another version is not a result",
    arguments: [
      "", "mpris-playerd loudness 2\n", "mpris-playerd loudness 3\npeak 1\nblocks\n",
      "mpris-playerd loudness 2\npeak 1\nsilence x\nblocks\n", "mpris-playerd loudness 2\npeak 1\nsilence -1\nblocks\n",
      "mpris-playerd loudness 2\npeak 1\nblocks", "mpris-playerd loudness 2\npeak 1\n",
      "mpris-playerd loudness 2\npeak -1\nblocks\n", "mpris-playerd loudness 2\npeak nan\nblocks\n",
      "mpris-playerd loudness 2\npeak 1\nblocks 1000:1\n", "mpris-playerd loudness 2\npeak 1\nblocks 1:0\n",
      "mpris-playerd loudness 2\npeak 1\nblocks 1:9223372036854775807\n",
      "mpris-playerd loudness 2\npeak 1\nblocks 1:1000001\n", "mpris-playerd loudness 2\npeak 1\nalbum x\nblocks\n",
      "mpris-playerd loudness 2\npeak 1\nintegrated 1001\nblocks\n",
      "mpris-playerd loudness 2\npeak 1\nblocks 1:2:3\n", "mpris-playerd loudness 2\npeak 1\nother 1\nblocks\n",
    ])
  func damaged(text: String) {
    #expect(TrackLoudness(text: text) == nil)
  }

  @Test("A copy has the key of its original; another size, start, middle or end has another key")
  func keys() throws {
    try withDirectory { directory in
      let cache = LoudnessCache(folder: directory.path, digest: GLib.sha256)
      let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
      func key(_ bytes: [UInt8], _ name: String) throws -> LoudnessCache.Key {
        try #require(cache.key(ofFileAt: Array(try directory.write(bytes, to: name).utf8)))
      }
      let original = try key(bytes, "a")
      #expect(try key(bytes, "copy") == original)
      var others = [try key(bytes + [0], "longer"), try key([], "empty")]
      for index in [0, bytes.count / 2, bytes.count - 1] {
        var changed = bytes
        changed[index] ^= 1
        others.append(try key(changed, "changed"))
      }
      #expect(Set(others + [original]).count == 6)
      #expect(cache.key(ofFileAt: Array(directory.path.utf8)) == nil)
      #expect(cache.key(ofFileAt: Array(directory.file("missing").utf8)) == nil)
      try #require(unsafe mkfifo(directory.file("fifo"), 0o600) == 0)
      #expect(cache.key(ofFileAt: Array(directory.file("fifo").utf8)) == nil)
    }
  }

  @Test("The results that were used least recently are removed beyond the limit, and other files are kept")
  func pruning() throws {
    try withDirectory { directory in
      let cache = LoudnessCache(folder: directory.path, digest: GLib.sha256, limit: 2)
      let names = (0..<4).map { number in String(repeating: "\(number)", count: 64) }
      for (age, name) in names.enumerated() {
        let path = try directory.write("x", to: name)
        let date = Date(timeIntervalSince1970: Double(1_000_000 - age))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
      try directory.write("x", to: "other")
      cache.prune()
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) == [names[0], names[1], "other"])
    }
  }

  private func withDirectory(_ body: (TemporaryDirectory) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try body(directory)
  }
}
