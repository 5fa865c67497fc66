// The names come from Apple's systems.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// The locks of `objc_sync_enter`, one for each object that is locked.
private final class ObjectLocks: @unchecked Sendable {  // `guardian` guards `entries`
  private struct Entry: Sendable {
    let lock = NSRecursiveLock()
    /// The threads that have the lock or wait for it, each as often as it has entered.
    var count = 0
  }

  static let shared = ObjectLocks()
  private let guardian = NSLock()
  private var entries: [ObjectIdentifier: Entry] = [:]

  func enter(_ object: AnyObject) {
    let lock = guardian.withLock {
      entries[ObjectIdentifier(object), default: Entry()].count += 1
      return entries[ObjectIdentifier(object)]?.lock
    }
    lock?.lock()
  }

  /// Returns false for an object that is not locked.
  func leave(_ object: AnyObject) -> Bool {
    let lock = guardian.withLock { () -> NSRecursiveLock? in
      guard var entry = entries[ObjectIdentifier(object)] else { return nil }
      entry.count -= 1
      entries[ObjectIdentifier(object)] = entry.count > 0 ? entry : nil
      return entry.lock
    }
    lock?.unlock()
    return lock != nil
  }
}

/// Locks an object for the calling thread, which may do so several times.
///
/// - Parameter obj: An object of a class.
/// - Returns: 0.
@discardableResult
public func objc_sync_enter(_ obj: Any) -> Int32 {
  ObjectLocks.shared.enter(obj as AnyObject)
  return 0
}

/// Unlocks an object that the calling thread has locked; returns 0, or −1 for another object.
@discardableResult
public func objc_sync_exit(_ obj: Any) -> Int32 { ObjectLocks.shared.leave(obj as AnyObject) ? 0 : -1 }
