/// The measurements of local files, which a ``Player`` has beside its engine.
///
/// A player calls it while it holds its lock. Therefore all functions return at once, and do not report from inside the call.
package protocol LoudnessSource: Sendable {
  /// Receives the function for reports, which may be called on any thread and never blocks; called once.
  func open(_ report: @escaping @Sendable (LoudnessReport) -> Void)
  /// Measures files ahead, in this order, instead of those announced before; without files, nothing is measured.
  ///
  /// The files of an inner list are in one folder, and may be one album.
  func announce(_ groups: [[String]])
  /// Reports the gain for a stream of a local file soon, from the known measurements, if the configuration measures gains; and its
  /// silence when it is known.
  ///
  /// - Parameters:
  ///   - uri: The URI of the file.
  ///   - stream: The stream, which was just opened.
  ///   - isSuccessor: Whether the stream follows another one that plays.
  func request(_ uri: String, for stream: StreamToken, asSuccessor isSuccessor: Bool)
  /// Ends the measurements; nothing is reported afterwards.
  func close()
  /// Waits until everything has ended.
  func closed() async
}

/// A report of a ``LoudnessSource``.
package enum LoudnessReport: Codable, Equatable, Sendable {
  /// The measured gain for a stream, reported once; nil plays it unchanged.
  case gain(LoudnessGain?, of: StreamToken)
  /// The media of a stream is silent from a time to its end.
  case silence(from: Duration, of: StreamToken)
  /// A condition that changes nothing, but is worth a line in the log.
  case warning(String)
}
