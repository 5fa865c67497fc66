internal import CZlib

/// Content in the format of gzip.
///
/// <https://www.rfc-editor.org/rfc/rfc1952>
enum Gzip {
  /// Returns the unpacked content, at most one byte more than the limit; content of another format as it is.
  ///
  /// Of incomplete and damaged content, the part before the fault is returned.
  static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8] {
    guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
    var stream = unsafe z_stream()
    guard unsafe czlib_begin_gzip(&stream) == Z_OK else { return [] }
    defer { _ = unsafe inflateEnd(&stream) }
    var packed = bytes
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    unsafe packed.withUnsafeMutableBufferPointer { input in
      unsafe (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(clamping: input.count))
      var status = Z_OK
      while status == Z_OK, result.count <= limit {
        let count = unsafe chunk.withUnsafeMutableBufferPointer { output in
          unsafe (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(output.count))
          status = unsafe inflate(&stream, Z_NO_FLUSH)
          return unsafe output.count - Int(stream.avail_out)
        }
        result += chunk.prefix(count)
        // Several packed files may follow each other.
        if status == Z_STREAM_END, unsafe stream.avail_in > 0 { status = unsafe inflateReset(&stream) }
        if count == 0, unsafe stream.avail_in == 0 { break }
      }
    }
    return Array(result.prefix(limit + 1))
  }
}
