import ArgumentParser
import DBus

/// The exit statuses of the command, after `sysexits.h`.
enum ExitStatus {
  /// The request could not be carried out, or only in part.
  static let failure = ExitCode(1)
  static let usage = ExitCode(64)
  static let nothingPlayable = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let internalError = ExitCode(70)
  static let cannotCreate = ExitCode(73)
  static let configuration = ExitCode(78)
}

extension ExitStatus {
  /// The status for a request that the daemon, or the bus, has answered with an error.
  static func code(for error: DBusError) -> ExitCode {
    if error.isUnreachable { return unavailable }
    if case .invalidArguments("") = error { return usage }
    return failure
  }
}

extension DBusError {
  /// Whether there is no daemon that answers.
  var isUnreachable: Bool {
    switch self {
    case .noReply(""), .disconnected(""), .serviceUnknown(""), .nameHasNoOwner(""), .unknownMethod(""),
      .unknownObject(""):
      true
    default: false
    }
  }
}
