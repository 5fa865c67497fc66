/// The samples of one item at the output, compared with the samples of its decoder and of its file.
///
/// Digests are MD5 in hexadecimal. Digests of integers have the form of FLAC's STREAMINFO block, so they can be compared with each
/// other although the formats differ.
package struct SampleComparison: Codable, Equatable, Sendable {
  /// A format of uncompressed audio.
  package struct Format: Codable, Equatable, Sendable {
    /// GStreamer's name of the sample format, such as `S16LE`.
    package var name: String
    /// The significant bits of a sample.
    package var bits: Int
    package var isFloat = false
    package var rate: Int
    package var channels: Int

    package init(name: String, bits: Int, isFloat: Bool = false, rate: Int, channels: Int) {
      self.name = name
      self.bits = bits
      self.isFloat = isFloat
      self.rate = rate
      self.channels = channels
    }
  }

  /// The samples that passed one point.
  package struct Samples: Codable, Equatable, Sendable {
    package var format: Format
    /// The number of samples of each channel.
    package var count: Int
    /// The digest; nil if a sample cannot be represented in the format of the decoder.
    package var digest: String?

    package init(format: Format, count: Int, digest: String?) {
      self.format = format
      self.count = count
      self.digest = digest
    }
  }

  /// The name of the codec, and whether it is known to discard data; nil for uncompressed files.
  package var codec: String?
  package var isLossy = false
  /// The samples of the decoder, and the samples at the output; nil without samples.
  package var decoded: Samples?
  package var output: Samples?
  /// The digest in the header of a FLAC file; nil if there is none.
  package var fileDigest: String?
  /// The name of the sink element, such as `pulsesink`; nil if no output could be opened.
  package var sink: String?

  package init() {}
}
