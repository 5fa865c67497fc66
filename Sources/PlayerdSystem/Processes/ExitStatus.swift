/// An exit status of the command, after `sysexits.h`; a command that throws it ends with it, and prints nothing more.
package struct ExitStatus: Error, Equatable {
  package let rawValue: Int32

  package init(_ rawValue: Int32) { self.rawValue = rawValue }

  package static let success = ExitStatus(0)
  /// The request failed, or only a part succeeded.
  package static let failure = ExitStatus(1)
  package static let usage = ExitStatus(64)
  package static let nothingPlayable = ExitStatus(66)
  package static let unavailable = ExitStatus(69)
  package static let internalError = ExitStatus(70)
  package static let system = ExitStatus(71)
  package static let cannotCreate = ExitStatus(73)
  /// The output could not be written.
  package static let cannotWrite = ExitStatus(74)
  package static let configuration = ExitStatus(78)
}
