public import AVFoundation
import Synchronization

/// The result of a handler.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpremotecommandhandlerstatus>
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
  /// The command was carried out.
  case success = 0
  /// The requested content does not exist.
  case noSuchContent = 100
  /// No item is available for the command.
  case noActionableNowPlayingItem = 110
  /// The device was not found.
  case deviceNotFound = 120
  /// The command failed for another reason.
  case commandFailed = 200
}

/// A command that clients of MPRIS can send, and the handlers that the program has added for it.
///
/// A command is offered while it is enabled and has a handler. Its members may be used on any thread.
/// <https://developer.apple.com/documentation/mediaplayer/mpremotecommand>
public class MPRemoteCommand: NSObject, @unchecked Sendable {  // `state` is a lock, also in each subclass
  private struct State {
    var isEnabled = true
    var targets: [Target] = []
  }

  /// A handler, and the object that identifies it.
  private struct Target: @unchecked Sendable {  // the handler is called on the main queue alone
    let token = NSObject()
    let handler: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
  }

  private let state = Mutex(State())
  /// Called on any thread when the state has changed.
  let changed: @Sendable () -> Void

  init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

  /// Whether the command is offered if it has a handler; true by default.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      state.withLock { $0.isEnabled = newValue }
      changed()
    }
  }

  /// Adds a handler, which is called on the main queue.
  ///
  /// All handlers of a command are called, the oldest first. The client receives the first status other than `success` as an
  /// error. The handler is kept until it is removed.
  /// - Returns: An object for ``removeTarget(_:)``.
  @discardableResult
  public func addTarget(handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus) -> Any {
    let target = Target(handler: handler)
    state.withLock { $0.targets.append(target) }
    changed()
    return target.token
  }

  /// Removes a handler, or all handlers for nil; another object is ignored.
  public func removeTarget(_ target: Any?) {
    // The handlers are released outside the lock, because that may run any code.
    let removed = state.withLock { state in
      let removed = state.targets.filter { target == nil || $0.token === target as AnyObject }
      state.targets.removeAll { kept in removed.contains { $0.token === kept.token } }
      return removed
    }
    if !removed.isEmpty { changed() }
  }

  /// Whether clients can send the command.
  var isOffered: Bool { state.withLock { $0.isEnabled && !$0.targets.isEmpty } }

  /// Calls the handlers; on the main queue.
  func send(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus {
    let statuses = state.withLock { $0.targets }.map { $0.handler(event) }
    return statuses.first { $0 != .success } ?? .success
  }
}
