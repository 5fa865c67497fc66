import CGst
import Playback
import Synchronization

/// The digests of the samples that leave the decoder and that reach the sink of one item.
final class SampleVerifier: CallbackContext, Sendable {
  private struct Place {
    var format: GstAudioFormat?
    var described: SampleComparison.Format?
    var digest: SampleDigest?

    var samples: SampleComparison.Samples? { described.flatMap { digest?.samples($0) } }
  }

  private struct State {
    /// The form of both digests, from the format of the decoder.
    var form: SampleDigest.Form?
    var decoded = Place()
    var output = Place()
    var sink: String?
    var codec: (name: String, isLossy: Bool)?
  }

  private let state = Mutex(State())
  /// The header of a FLAC file.
  private let header: FLACStreamInfo?

  init(of uri: String) { header = LocalFile.flacStreamInfo(uri) }

  /// The digests of the samples so far.
  var comparison: SampleComparison {
    state.withLock { state in
      var result = SampleComparison()
      (result.decoded, result.output) = (state.decoded.samples, state.output.samples)
      result.sink = state.sink
      result.codec = state.codec?.name
      result.isLossy = state.codec?.isLossy ?? false
      result.fileDigest = header?.digest
      return result
    }
  }

  // MARK: Construction of the pipeline

  /// Reads the samples of the decoder at the entry of the audio filter.
  func attachEntry(_ pad: UnsafeMutablePointer<GstPad>) { unsafe add(entryProbe, Self.kinds, to: pad) }

  /// Reads the samples at the sink element of an output, after all probes of the output's pad.
  func attachExit(_ output: UnsafeMutablePointer<GstElement>, isSilent: Bool) {
    guard let sink = unsafe Self.sink(in: output) else { return }
    defer { unsafe gst_object_unref(sink) }
    let name = unsafe GLib.borrow(cgst_factory_name(sink))
    state.withLock { $0.sink = isSilent ? nil : name }
    guard let pad = unsafe gst_element_get_static_pad(sink, "sink") else { return }
    defer { unsafe gst_object_unref(pad) }
    unsafe add(exitProbe, Self.kinds, to: pad)
  }

  private static let kinds = GstPadProbeType(
    GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
      | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)

  /// Returns the sink element of an output, with a reference; in a bin it is the first one found.
  private static func sink(in output: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    guard let bin = unsafe cgst_bin(output) else {
      unsafe gst_object_ref(output)
      return unsafe output
    }
    guard let iterator = unsafe gst_bin_iterate_sinks(bin) else { return nil }
    defer { unsafe gst_iterator_free(iterator) }
    var value = GValue()
    guard unsafe gst_iterator_next(iterator, &value) == GST_ITERATOR_OK else { return nil }
    defer { unsafe g_value_unset(&value) }
    guard let object = unsafe g_value_get_object(&value), let sink = unsafe cgst_element(object) else { return nil }
    // A sink in a bin may be a bin itself.
    return unsafe Self.sink(in: sink)
  }

  // MARK: Streaming threads

  fileprivate enum Point: Sendable { case decoded, output }

  fileprivate func pass(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, at pad: UnsafeMutablePointer<GstPad>, _ point: Point
  ) {
    if let buffer = unsafe cgst_probe_buffer(info) {
      var map = unsafe GstMapInfo()
      guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
      unsafe add(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)), point)
      unsafe gst_buffer_unmap(buffer, &map)
      return
    }
    guard let event = unsafe cgst_probe_event(info) else { return }
    switch unsafe cgst_event_type(event) {
    case GST_EVENT_CAPS:
      var caps: UnsafeMutablePointer<GstCaps>?
      unsafe gst_event_parse_caps(event, &caps)
      if let caps = unsafe caps { unsafe formatChanged(caps, point) }
    case GST_EVENT_FLUSH_STOP: restart(point)
    case GST_EVENT_EOS: if point == .decoded { noteCodec(unsafe Codec.decoding(pad)) }
    default: break
    }
  }

  private func add(_ samples: UnsafeRawBufferPointer, _ point: Point) {
    let (address, count) = (UInt(bitPattern: samples.baseAddress), samples.count)
    state.withLock { state in
      let place = point == .decoded ? state.decoded : state.output
      guard let format = place.format, let info = unsafe gst_audio_format_get_info(format) else { return }
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
      var place = Place(format: format)
      place.described = SampleComparison.Format(
        name: name, bits: point == .decoded && !isFloat ? bits : depth, isFloat: isFloat, rate: rate,
        channels: channels)
      if point == .decoded { state.form = isFloat ? .float : .integer(bits: bits) }
      place.digest = state.form.flatMap(SampleDigest.init)
      if point == .decoded { state.decoded = place } else { state.output = place }
    }
  }

  /// Removes the samples before a flush.
  private func restart(_ point: Point) {
    state.withLock { state in
      let digest = state.form.flatMap(SampleDigest.init)
      if point == .decoded { state.decoded.digest = digest } else { state.output.digest = digest }
    }
  }

  private func noteCodec(_ codec: (name: String, isLossy: Bool)?) { state.withLock { $0.codec = codec } }
}

/// The codec of a decoder.
private enum Codec {
  /// The media types of codecs that discard data.
  private static let lossy: Set = [
    "audio/mpeg", "audio/x-vorbis", "audio/x-opus", "audio/x-speex", "audio/x-ac3", "audio/x-eac3", "audio/x-wma",
    "audio/x-musepack", "audio/x-alaw", "audio/x-mulaw", "audio/x-adpcm", "audio/AMR", "audio/AMR-WB",
  ]

  /// Returns the codec of the decoder whose samples arrive at a pad; nil if there is no decoder.
  static func decoding(_ pad: UnsafeMutablePointer<GstPad>) -> (name: String, isLossy: Bool)? {
    let object = unsafe UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstObject.self)
    guard var top = unsafe gst_object_get_parent(object) else { return nil }
    while let parent = unsafe gst_object_get_parent(top) {
      unsafe gst_object_unref(top)
      unsafe top = parent
    }
    defer { unsafe gst_object_unref(top) }
    guard let bin = unsafe cgst_bin(top), let iterator = unsafe gst_bin_iterate_recurse(bin) else { return nil }
    defer { unsafe gst_iterator_free(iterator) }
    var value = GValue()
    defer { unsafe g_value_unset(&value) }
    while unsafe gst_iterator_next(iterator, &value) == GST_ITERATOR_OK {
      guard let item = unsafe g_value_get_object(&value), let element = unsafe cgst_element(item) else { continue }
      if let codec = unsafe codec(of: element) { return codec }
    }
    return nil
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

// MARK: Probes, on the streaming threads

/// Reads the samples of the decoder.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
private func entryProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  if let pad = unsafe pad, let info = unsafe info { unsafe SampleVerifier.borrow(data)?.pass(info, at: pad, .decoded) }
  return GST_PAD_PROBE_OK
}

/// Reads the samples at the sink.
private func exitProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  if let pad = unsafe pad, let info = unsafe info { unsafe SampleVerifier.borrow(data)?.pass(info, at: pad, .output) }
  return GST_PAD_PROBE_OK
}
