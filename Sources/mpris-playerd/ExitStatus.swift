import ArgumentParser

/// The exit statuses of the command, after `sysexits.h`.
enum ExitStatus {
  static let usage = ExitCode(64)
  static let nothingPlayable = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let internalError = ExitCode(70)
  static let cannotCreate = ExitCode(73)
  static let configuration = ExitCode(78)
}
