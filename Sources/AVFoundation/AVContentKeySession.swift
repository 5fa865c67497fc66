public import Dispatch
public import Foundation
import Synchronization

/// A way to protect content.
///
/// <https://developer.apple.com/documentation/avfoundation/avcontentkeysystem>
public struct AVContentKeySystem: RawRepresentable, Hashable, Sendable {
  /// The name of the system.
  public let rawValue: String

  /// Makes a value from the name of a system.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// FairPlay Streaming.
  public static let fairPlayStreaming = Self(rawValue: "FairPlayStreaming")
  /// Keys without protection.
  public static let clearKey = Self(rawValue: "ClearKeySystem")
  /// Tokens of an authorization.
  public static let authorizationToken = Self(rawValue: "AuthorizationTokenSystem")
}

/// An object that uses keys: an asset.
///
/// <https://developer.apple.com/documentation/avfoundation/avcontentkeyrecipient>
public protocol AVContentKeyRecipient: AnyObject {
  /// Whether the object needs keys.
  var mayRequireContentKeysForMediaDataProcessing: Bool { get }
}

extension AVURLAsset: AVContentKeyRecipient {}

/// A session for the keys of protected content; it requests none, because protected content cannot be played.
///
/// Items with protected content fail in the same way as items with an unknown format.
/// Safe to use from any isolation: a lock guards the state.
///
/// <https://developer.apple.com/documentation/avfoundation/avcontentkeysession>
open class AVContentKeySession: NSObject, @unchecked Sendable {  // `state` is a lock
  private struct State {
    var delegate = WeakDelegate()
    var queue: DispatchQueue?
    var recipients: [Recipient] = []
  }

  private struct Recipient: @unchecked Sendable {  // the reference is only compared and returned
    let object: any AVContentKeyRecipient
  }

  private struct WeakDelegate: @unchecked Sendable {  // the reference is only read, under the lock of the state
    weak var delegate: (any AVContentKeySessionDelegate)?
  }

  private let system: AVContentKeySystem
  private let state = Mutex(State())

  /// Makes a session, which requests no key.
  public init(keySystem: AVContentKeySystem) { system = keySystem }

  /// The way of protection.
  open var keySystem: AVContentKeySystem { system }

  /// Sets the delegate, which is not retained and not called, and its queue.
  open func setDelegate(_ delegate: (any AVContentKeySessionDelegate)?, queue delegateQueue: DispatchQueue?) {
    let reference = WeakDelegate(delegate: delegate)
    state.withLock { ($0.delegate, $0.queue) = (reference, delegateQueue) }
  }

  /// The delegate, which is not called.
  open var delegate: (any AVContentKeySessionDelegate)? { state.withLock { $0.delegate }.delegate }

  /// The queue of the delegate.
  open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

  /// The recipients that were added.
  open var contentKeyRecipients: [any AVContentKeyRecipient] {
    state.withLock { $0.recipients }.map(\.object)
  }

  /// Adds a recipient; no key is requested for it.
  open func addContentKeyRecipient(_ recipient: any AVContentKeyRecipient) {
    let added = Recipient(object: recipient)
    state.withLock { state in
      if !state.recipients.contains(where: { $0.object === added.object }) { state.recipients.append(added) }
    }
  }

  /// Removes a recipient.
  open func removeContentKeyRecipient(_ recipient: any AVContentKeyRecipient) {
    let removed = ObjectIdentifier(recipient)
    state.withLock { state in state.recipients.removeAll { ObjectIdentifier($0.object) == removed } }
  }

  /// Removes all recipients.
  open func expire() { state.withLock { $0.recipients = [] } }
}

/// A request for a key; there is none, because protected content cannot be played.
///
/// <https://developer.apple.com/documentation/avfoundation/avcontentkeyrequest>
open class AVContentKeyRequest: NSObject {
  // No initializer is public.
  override init() { super.init() }

  /// The identifier of the key.
  open var identifier: Any? { nil }
}

/// The delegate of a session for keys; its methods are not called, and optional by default implementations.
///
/// <https://developer.apple.com/documentation/avfoundation/avcontentkeysessiondelegate>
public protocol AVContentKeySessionDelegate: NSObjectProtocol {
  /// Not called, because no key is requested.
  func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVContentKeyRequest)

  /// Not called, because no key is requested.
  func contentKeySession(
    _ session: AVContentKeySession, contentKeyRequest keyRequest: AVContentKeyRequest, didFailWithError err: any Error)
}

extension AVContentKeySessionDelegate {
  /// Does nothing.
  public func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVContentKeyRequest) {}

  /// Does nothing.
  public func contentKeySession(
    _ session: AVContentKeySession, contentKeyRequest keyRequest: AVContentKeyRequest, didFailWithError err: any Error
  ) {}
}
