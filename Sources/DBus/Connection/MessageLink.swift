/// The two queues of messages between a connection and a bus: either libdbus or a simulated bus provides them.
///
/// It lives on the loop's thread.
package protocol MessageLink: AnyObject {
  /// Whether too many bytes are unsent; no more calls are then handled and no messages other than replies are sent.
  var isCongested: Bool { get }

  /// Whether received messages wait whose arrival has been reported already.
  var hasMessages: Bool { get }

  /// Removes the oldest received message.
  func pop() -> Message?

  /// Queues a message and returns its serial number; 0 if it has a file descriptor and the link passes none.
  @discardableResult
  func send(_ message: borrowing Message) -> UInt32

  /// Reports arrivals to `connection` from now on, with ``DBusConnection/drain()``; it must outlive this object.
  func watch(for connection: DBusConnection) throws(DBusError)

  func unwatch()
}
