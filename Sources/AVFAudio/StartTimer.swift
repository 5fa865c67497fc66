package import Dispatch

/// The timer of a start in the future.
package struct StartTimer: @unchecked Sendable {  // a dispatch source may be cancelled on any thread
  private let source: any DispatchSourceTimer

  package init(source: any DispatchSourceTimer) { self.source = source }

  package func cancel() { source.cancel() }
}
