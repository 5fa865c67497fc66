package import DBus
package import PlayerdSystem

extension ExitStatus {
  /// The status for an error reply of the daemon or the bus.
  package init(for error: DBusError) {
    if error.isUnreachable {
      self = .unavailable
    } else if case .invalidArguments("") = error {
      self = .usage
    } else {
      self = .failure
    }
  }
}

extension DBusError {
  /// Whether the daemon does not know a request or its arguments.
  package var isOfOtherInterface: Bool {
    switch self {
    case .unknownMethod(""), .unknownInterface(""), .unknownObject(""), .unknownProperty(""), .invalidArguments(""):
      true
    default: false
    }
  }

  /// Whether no daemon is running or it does not respond.
  package var isUnreachable: Bool {
    switch self {
    case .noReply(""), .disconnected(""), .serviceUnknown(""), .nameHasNoOwner(""), .unknownMethod(""),
      .unknownObject(""):
      true
    default: false
    }
  }
}
