import Dispatch
import EventLoop
import Foundation
import GstPlayer

/// The main queue, on which observers and notifications are delivered.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main queue.
  ///
  /// On Linux, `dispatchMain()` ends the main thread and serves the queue on others, so the thread alone does not suffice.
  package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

  /// Calls `body` on the main queue, later.
  ///
  /// It is an operation of the main operation queue. Otherwise a notification that is posted in it would wait for
  /// ever for an observer on that queue: Foundation calls such an observer directly only inside an operation.
  package static func async(_ body: @escaping @Sendable () -> Void) {
    serveInGLib()
    OperationQueue.main.addOperation(body)
  }

  /// Lets the main loop of GTK and Qt serve the main queue, if the main thread runs one.
  ///
  /// Each object that calls a program on the main queue does this before it can have a result.
  package static func serveInGLib() { isServedInGLib }

  /// A loop on another thread must not run the queue, and is not woken a second time.
  private static let isServedInGLib: Void = {
    let descriptor = DispatchMainQueue.fileDescriptor
    if descriptor >= 0 { DefaultMainContext.watch(descriptor) { DispatchMainQueue.runPending() } }
  }()
}
