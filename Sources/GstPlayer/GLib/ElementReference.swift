import CGst
import Synchronization

/// A replaceable reference to one element, which can be used from any thread.
final class ElementReference: Sendable {
  private let address = Mutex<UInt>(0)

  deinit { unsafe set(nil) }

  /// Stores another element and releases the previous one; nil only releases.
  func set(_ element: UnsafeMutablePointer<GstElement>?) {
    if let element = unsafe element { _ = unsafe gst_object_ref(element) }
    let new = UInt(bitPattern: element)
    let old = address.withLock { address in
      defer { address = new }
      return address
    }
    if let old = unsafe UnsafeMutableRawPointer(bitPattern: old) { unsafe gst_object_unref(old) }
  }

  /// Calls `body` with the element, which is retained during the call; returns nil if there is none.
  func with<Result>(_ body: (UnsafeMutablePointer<GstElement>) -> Result) -> Result? {
    let held: UInt = address.withLock { address in
      if let element = unsafe UnsafeMutableRawPointer(bitPattern: address) { _ = unsafe gst_object_ref(element) }
      return address
    }
    guard let element = unsafe UnsafeMutablePointer<GstElement>(bitPattern: held) else { return nil }
    defer { unsafe gst_object_unref(element) }
    return unsafe body(element)
  }
}
