import CGst
import Synchronization

/// Keeps the value that was read from a GStreamer object while the same object arrives again.
///
/// Parsers post all tags again with each new tag, and the FLAC parser posts its table of contents with every frame. The pictures,
/// frames and tables in them are the same objects each time.
final class LastReading<Value: Sendable>: Sendable {
  /// The address of the object, to which a reference is held, a number that belongs to it, and the value.
  private let last = Mutex<(address: UInt, number: UInt64, value: Value?)>((0, 0, nil))

  deinit { forget() }

  func forget() { replace((0, 0, nil)) }

  /// Returns the value of a mini object; calls `read` if the object or the number differs from the last one.
  func value(
    of object: OpaquePointer, number: UInt64 = 0, _ read: () -> Value
  ) -> (value: Value, isNew: Bool) {
    let address = UInt(bitPattern: object)
    let known = last.withLock { $0.address == address && $0.number == number ? $0.value : nil }
    if let known { return (known, false) }
    let value = read()
    unsafe cgst_mini_object_ref(UnsafeMutableRawPointer(object))
    replace((address, number, value))
    return (value, true)
  }

  private func replace(_ new: (address: UInt, number: UInt64, value: Value?)) {
    let old = last.withLock { last in
      defer { last = new }
      return last.address
    }
    guard let object = unsafe UnsafeMutableRawPointer(bitPattern: old) else { return }
    unsafe cgst_mini_object_unref(object)
  }
}
