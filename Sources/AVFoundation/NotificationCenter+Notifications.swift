public import Foundation

extension NotificationCenter {
  /// The notifications of a name as a sequence; Foundation on Linux does not have this sequence.
  ///
  /// A notification that is posted before the iteration begins is kept. The observation ends with the last reference to
  /// the sequence and its iterators.
  public nonisolated final class Notifications: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = Notification

    private let stream: AsyncStream<Shared<Notification>>

    init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      let (stream, continuation) = AsyncStream.makeStream(of: Shared<Notification>.self)
      let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
        continuation.yield(Shared(value: notification))
      }
      let registration = Shared(value: observer)
      continuation.onTermination = { _ in center.removeObserver(registration.value) }
      self.stream = stream
    }

    /// Creates an iterator; several iterators share the notifications.
    public func makeAsyncIterator() -> Iterator { Iterator(iterator: stream.makeAsyncIterator()) }

    /// The iterator, which ends when its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var iterator: AsyncStream<Shared<Notification>>.Iterator

      /// Returns the next notification; nil if the task is cancelled.
      public mutating func next() async -> Notification? { await iterator.next(isolation: #isolation)?.value }
    }
  }

  /// Returns the notifications of a name from now on, of any object or one.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
    Notifications(self, name, object)
  }

  /// A posted notification that its observers only read, or an immutable observer.
  fileprivate struct Shared<Value>: @unchecked Sendable {  // immutable; the contents are only read
    let value: Value
  }
}
