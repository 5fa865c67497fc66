import CGst
import Playback
import Synchronization

extension TagList {
  /// The tag under which GStreamer hands on the frames of an ID3v2 tag that it does not understand.
  private static let frameTag = "private-id3v2-frame"
  /// More frames than this, and larger ones, are not read.
  private static let (frameLimit, frameSize): (UInt32, gsize) = (20_000, 2 << 20)

  /// What such frames say; nil where there are none, or only the `last` ones again.
  func id3Frames(_ last: LastID3Frames?) -> (frames: ID3Frames, isNew: Bool)? {
    let count = unsafe min(gst_tag_list_get_tag_size(list, Self.frameTag), Self.frameLimit)
    guard count > 0, let first = unsafe frame(0) else { return nil }
    defer { unsafe Self.release(first) }
    guard let last else { return (read(count), true) }
    return unsafe last.frames(first, count) { read(count) }
  }

  private func read(_ count: UInt32) -> ID3Frames {
    var frames = ID3Frames()
    for index in 0..<count {
      guard let sample = unsafe frame(index) else { continue }
      defer { unsafe Self.release(sample) }
      guard let bytes = unsafe Self.bytes(of: sample) else { continue }
      unsafe frames.take(bytes, version: Self.version(of: sample))
    }
    return frames
  }

  private func frame(_ index: UInt32) -> OpaquePointer? {
    var sample: OpaquePointer?
    guard unsafe gst_tag_list_get_sample_index(list, Self.frameTag, index, &sample) != 0 else { return nil }
    return unsafe sample
  }

  private static func bytes(of sample: OpaquePointer) -> [UInt8]? {
    guard let buffer = unsafe gst_sample_get_buffer(sample), unsafe gst_buffer_get_size(buffer) <= frameSize else {
      return nil
    }
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    return unsafe Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
  }

  /// The tag's version, 3 or 4; the format of the sample says 0x300 or 0x400.
  private static func version(of sample: OpaquePointer) -> Int {
    var version: gint = 0
    guard let caps = unsafe gst_sample_get_caps(sample), unsafe gst_caps_get_size(caps) > 0,
      let structure = unsafe gst_caps_get_structure(caps, 0),
      unsafe gst_structure_get_int(structure, "version", &version) != 0
    else { return 4 }
    return version >= 0x100 ? Int(version) >> 8 : Int(version)
  }
}

/// The frames that were read last.
///
/// A parser sends all its tags again with each that is new; the frames are the same objects each time.
final class LastID3Frames: Sendable {
  /// The address of the first frame, to which a reference is held, and how many there were.
  private let last = Mutex<(address: UInt, count: UInt32, frames: ID3Frames)>((0, 0, ID3Frames()))

  deinit { forget() }

  func forget() { replace((0, 0, ID3Frames())) }

  fileprivate func frames(
    _ first: OpaquePointer, _ count: UInt32, _ read: () -> ID3Frames
  ) -> (frames: ID3Frames, isNew: Bool) {
    let address = UInt(bitPattern: first)
    let known = last.withLock { $0.address == address && $0.count == count ? $0.frames : nil }
    if let known { return (known, false) }
    let frames = read()
    unsafe cgst_mini_object_ref(UnsafeMutableRawPointer(first))
    replace((address, count, frames))
    return (frames, true)
  }

  private func replace(_ new: (address: UInt, count: UInt32, frames: ID3Frames)) {
    let old = last.withLock { last in
      defer { last = new }
      return last.address
    }
    guard let sample = unsafe UnsafeMutableRawPointer(bitPattern: old) else { return }
    unsafe cgst_mini_object_unref(sample)
  }
}
