/// Handles the calls that take long, one after the other, outside of the connection's thread.
package struct DBusCallQueue: Sendable {
  private typealias Work = @Sendable () async -> Void

  private let calls: AsyncStream<Work>
  private let inbox: AsyncStream<Work>.Continuation

  /// Creates a queue in which at most `limit` calls wait, by default as many as a connection holds.
  package init(limit: Int = HeldCalls.limit) {
    (calls, inbox) = AsyncStream.makeStream(of: Work.self, bufferingPolicy: .bufferingOldest(limit))
  }

  /// Handles the calls until the task is cancelled.
  package func run() async { for await work in calls { await work() } }

  func add(_ work: @escaping @Sendable () async -> Void) throws(DBusError) {
    if case .dropped = inbox.yield(work) { throw .limitsExceeded("too many calls wait for a reply") }
  }
}
