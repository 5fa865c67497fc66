import CGst
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Digests of samples")
struct SampleDigestTests {
  private func digest(_ form: SampleDigest.Form, _ name: GstAudioFormat, _ bytes: [UInt8]) throws -> String? {
    try GStreamer.initialize()
    let digest = try #require(SampleDigest(form))
    guard let info = unsafe gst_audio_format_get_info(name) else { return nil }
    unsafe bytes.withUnsafeBytes { unsafe digest.add($0, info) }
    return digest.samples(SampleComparison.Format(name: "", bits: 0, rate: 1, channels: 1)).digest
  }

  /// Returns the bytes of samples in a little-endian format.
  private func bytes<Sample: FixedWidthInteger>(_ samples: [Sample]) -> [UInt8] {
    samples.flatMap { sample in unsafe withUnsafeBytes(of: sample.littleEndian) { unsafe Array($0) } }
  }

  private func bytes(_ samples: [Float]) -> [UInt8] { bytes(samples.map(\.bitPattern)) }

  @Test("One signal has the same digest in each format that can represent it")
  func formats() throws {
    let samples: [Int16] = [0, 1, -1, 256, .max, .min]
    let expected = try digest(.integer(bits: 16), GST_AUDIO_FORMAT_S16LE, bytes(samples))
    #expect(expected != nil)
    let wide = samples.map { Int32($0) << 16 }
    #expect(try digest(.integer(bits: 16), GST_AUDIO_FORMAT_S32LE, bytes(wide)) == expected)
    #expect(try digest(.integer(bits: 16), GST_AUDIO_FORMAT_S24_32LE, bytes(wide.map { $0 >> 8 })) == expected)
    let floats = samples.map { Float($0) / 32_768 }
    #expect(try digest(.integer(bits: 16), GST_AUDIO_FORMAT_F32LE, bytes(floats)) == expected)
    #expect(
      try digest(.float, GST_AUDIO_FORMAT_F32LE, bytes(floats))
        == digest(.float, GST_AUDIO_FORMAT_S16LE, bytes(samples)))
  }

  @Test("The digest of 16 bits is the MD5 of the bytes")
  func md5() throws {
    // printf '\1\0\377\377' | md5sum
    #expect(
      try digest(.integer(bits: 16), GST_AUDIO_FORMAT_S16LE, bytes([Int16(1), -1]))
        == "937c58ede5c80464814a18be9e542be4")
  }

  @Test("A sample with more bits than the decoder's, or beyond full scale, does not get a digest")
  func inexact() throws {
    #expect(try digest(.integer(bits: 16), GST_AUDIO_FORMAT_S32LE, bytes([Int32(1)])) == nil)
    #expect(try digest(.integer(bits: 24), GST_AUDIO_FORMAT_F32LE, bytes([Float(1)])) == nil)
    #expect(try digest(.integer(bits: 24), GST_AUDIO_FORMAT_F32LE, bytes([Float(0.1)])) == nil)
    #expect(try digest(.integer(bits: 24), GST_AUDIO_FORMAT_F32LE, bytes([Float(-1)])) != nil)
  }

  @Test("The MD5 in a FLAC file is the digest of its samples; without an MD5, the digest is nil")
  func streamInfo() {
    var header = Array("fLaC".utf8) + [UInt8](repeating: 0, count: 38)
    #expect(FLACStreamInfo(header[...])?.digest == nil)
    header[20] = 1
    header[21] = 0x70
    header[26] = 0x0A
    #expect(FLACStreamInfo(header[...])?.bits == 24)
    #expect(FLACStreamInfo(header[...])?.digest == "0a" + String(repeating: "0", count: 30))
    #expect(FLACStreamInfo(Array("RIFF".utf8)[...]) == nil)
    #expect(FLACStreamInfo(header[..<21]) == nil)
  }

  @Test("A search for the sink or the decoder in a bin begins again if an element is added during the search")
  func changedBin() throws {
    try GStreamer.initialize()
    var found: Bool?
    if let top = unsafe gst_bin_new(nil), let bin = unsafe cgst_bin(top) {
      defer { unsafe gst_object_unref(top) }
      unsafe gst_bin_add(bin, gst_bin_new("wanted"))
      var reads = 0
      found = unsafe GLib.first(in: bin) { element -> Bool? in
        reads += 1
        guard reads > 1 else {
          unsafe gst_bin_add(bin, gst_bin_new("added"))
          return nil
        }
        return unsafe GLib.name(of: element) == "wanted" ? true : nil
      }
    }
    #expect(found == true)
  }
}
