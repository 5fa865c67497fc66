import CGst
import Playback
import Synchronization

/// Computes the digests of one item's samples where they leave the decoder and where they reach the sink.
final class SampleVerifier: Sendable {
  private struct Place {
    let format: GstAudioFormat
    let described: SampleComparison.Format
    var digest: SampleDigest?

    var samples: SampleComparison.Samples? { digest?.samples(described) }
  }

  private struct State {
    /// The form of both digests, from the format of the decoder.
    var form: SampleDigest.Form?
    var places: [Point: Place] = [:]
    var sink: String?
    var codec: (name: String, isLossy: Bool)?
  }

  private let state = Mutex(State())
  /// The header of a FLAC file.
  private let header: FLACStreamInfo?

  init(header: FLACStreamInfo?) { self.header = header }

  /// The digests of the samples so far.
  var comparison: SampleComparison {
    state.withLock { state in
      var result = SampleComparison()
      (result.decoded, result.output) = (state.places[.decoded]?.samples, state.places[.output]?.samples)
      result.sink = state.sink
      result.codec = state.codec?.name
      result.isLossy = state.codec?.isLossy ?? false
      result.fileDigest = header?.digest
      return result
    }
  }

  // MARK: Decks and outputs

  /// Reads the format of decoded samples in an event at a pad; ``addDecoded(_:_:bytesPerFrame:)`` adds the samples.
  func noteDecoderEvent(_ info: UnsafeMutablePointer<GstPadProbeInfo>, at pad: UnsafeMutablePointer<GstPad>) {
    unsafe pass(info, at: pad, .decoded)
  }

  /// Adds decoded frames of a buffer, on the streaming thread.
  func addDecoded(_ buffer: UnsafeMutablePointer<GstBuffer>, _ frames: Range<Int>, bytesPerFrame size: Int) {
    unsafe GLib.withBytes(of: buffer) { bytes in
      let (start, end) = (min(bytes.count, frames.lowerBound * size), min(bytes.count, frames.upperBound * size))
      unsafe add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), .decoded)
    }
  }

  /// Reads the samples at the sink element of an output, behind every probe of the output's pad.
  func attachExit(_ output: UnsafeMutablePointer<GstElement>, isSilent: Bool) {
    guard let sink = unsafe Self.sink(in: output) else { return }
    let name = unsafe GLib.borrow(cgst_factory_name(sink))
    state.withLock { $0.sink = isSilent ? nil : name }
    unsafe PadProbe.add(to: "sink", of: sink, PadProbe.dataAndFlushes) { pad, info in
      unsafe self.pass(info, at: pad, .output)
      return GST_PAD_PROBE_OK
    }
  }

  /// Returns the sink element of an output, which keeps it; in a bin it is the first one found.
  private static func sink(in output: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    guard let bin = unsafe cgst_bin(output) else { return unsafe output }
    return unsafe GLib.first(in: bin) { unsafe cgst_is_sink($0) != 0 ? $0 : nil }
  }

  // MARK: Streaming threads

  private enum Point: Sendable { case decoded, output }

  private func pass(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, at pad: UnsafeMutablePointer<GstPad>, _ point: Point
  ) {
    if let buffer = unsafe cgst_probe_buffer(info) {
      unsafe GLib.withBytes(of: buffer) { unsafe add($0, point) }
      return
    }
    guard let event = unsafe cgst_probe_event(info) else { return }
    switch unsafe event.pointee.type {
    case GST_EVENT_CAPS: if let caps = unsafe GLib.caps(of: event) { unsafe formatChanged(caps, point) }
    // The samples before a flush do not count.
    case GST_EVENT_FLUSH_STOP: state.withLock { $0.places[point]?.digest = $0.form.flatMap(SampleDigest.init) }
    case GST_EVENT_EOS:
      guard point == .decoded else { return }
      let codec = unsafe Codec.decoding(pad)
      state.withLock { $0.codec = codec }
    default: break
    }
  }

  private func add(_ samples: UnsafeRawBufferPointer, _ point: Point) {
    let (address, count) = (UInt(bitPattern: samples.baseAddress), samples.count)
    state.withLock { state in
      guard let place = state.places[point], let info = unsafe gst_audio_format_get_info(place.format) else { return }
      unsafe place.digest?.add(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count), info)
    }
  }

  private func formatChanged(_ caps: UnsafeMutablePointer<GstCaps>, _ point: Point) {
    var info = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&info, caps) != 0, let form = unsafe info.finfo else { return }
    let isFloat = unsafe form.pointee.unpack_format == GST_AUDIO_FORMAT_F64
    let (name, depth) = unsafe (String(cString: form.pointee.name), Int(form.pointee.depth))
    let format = unsafe form.pointee.format
    let (rate, channels) = unsafe (Int(info.rate), Int(info.channels))
    let bits = header?.bits ?? depth
    state.withLock { state in
      if point == .decoded { state.form = isFloat ? .float : .integer(bits: bits) }
      state.places[point] = Place(
        format: format,
        described: SampleComparison.Format(
          name: name, bits: point == .decoded && !isFloat ? bits : depth, isFloat: isFloat, rate: rate,
          channels: channels),
        digest: state.form.flatMap(SampleDigest.init))
    }
  }
}

/// The codec of a decoder.
private enum Codec {
  /// The media types of codecs that discard data.
  private static let lossy: Set = [
    "audio/mpeg", "audio/x-vorbis", "audio/x-opus", "audio/x-speex", "audio/x-ac3", "audio/x-eac3", "audio/x-wma",
    "audio/x-musepack", "audio/x-alaw", "audio/x-mulaw", "audio/x-adpcm", "audio/AMR", "audio/AMR-WB",
  ]

  /// Returns the codec of the decoder whose samples arrive at a pad; nil without a decoder.
  static func decoding(_ pad: UnsafeMutablePointer<GstPad>) -> (name: String, isLossy: Bool)? {
    unsafe GLib.with(taking: GLib.top(of: pad)) {
      unsafe cgst_bin($0).flatMap { unsafe GLib.first(in: $0, codec) }
    } ?? nil
  }

  private static func codec(of element: UnsafeMutablePointer<GstElement>) -> (name: String, isLossy: Bool)? {
    guard let factory = unsafe gst_element_get_factory(element),
      unsafe gst_element_factory_list_is_type(factory, cgst_audio_decoders()) != 0,
      let pad = unsafe gst_element_get_static_pad(element, "sink")
    else { return nil }
    defer { unsafe gst_object_unref(pad) }
    guard let caps = unsafe gst_pad_get_current_caps(pad) else { return nil }
    defer { unsafe cgst_mini_object_unref(caps) }
    guard let type = unsafe GLib.mediaType(of: caps) else { return nil }
    let name = unsafe GLib.take(gst_pb_utils_get_codec_description(caps)) ?? type
    return (name, lossy.contains(type))
  }
}
