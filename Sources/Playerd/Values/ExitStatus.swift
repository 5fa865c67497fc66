import ArgumentParser
import DBus

/// The exit statuses of the command, after `sysexits.h`.
enum ExitStatus {
  /// The request failed, or only a part succeeded.
  static let failure = ExitCode(1)
  static let usage = ExitCode(64)
  static let nothingPlayable = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let internalError = ExitCode(70)
  static let system = ExitCode(71)
  static let cannotCreate = ExitCode(73)
  static let configuration = ExitCode(78)

  /// Returns the status for an error reply of the daemon or the bus.
  static func code(for error: DBusError) -> ExitCode {
    if error.isUnreachable { return unavailable }
    if case .invalidArguments("") = error { return usage }
    return failure
  }
}

extension DBusError {
  /// Whether the daemon does not know a request or its arguments.
  var isOfOtherInterface: Bool {
    switch self {
    case .unknownMethod(""), .unknownInterface(""), .unknownObject(""), .unknownProperty(""), .invalidArguments(""):
      true
    default: false
    }
  }

  /// Whether no daemon is running or it does not respond.
  var isUnreachable: Bool {
    switch self {
    case .noReply(""), .disconnected(""), .serviceUnknown(""), .nameHasNoOwner(""), .unknownMethod(""),
      .unknownObject(""):
      true
    default: false
    }
  }
}
