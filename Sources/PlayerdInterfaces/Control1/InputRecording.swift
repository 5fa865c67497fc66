import DBus

/// The result of `org.playerd.Control1.GetRecording`.
package struct InputRecording: Equatable, Sendable {
  /// The version of the daemon.
  package var version: String
  /// The configured values, one TOML line each.
  package var configuration: [String]
  /// The recorded state and the inputs, one JSON value each; empty without a recording.
  package var lines: [String]
  /// The URIs of the items by number; empty unless they were requested.
  package var names: [String: String]

  package init(version: String, configuration: [String], lines: [String], names: [String: String]) {
    (self.version, self.configuration, self.lines, self.names) = (version, configuration, lines, names)
  }

  init(_ reply: [DBusValue]) throws(DBusError) {
    guard reply.count == 4, let version = reply[0].asString, let configuration = reply[1].asStrings,
      let lines = reply[2].asStrings, let names = reply[3].asDictionary
    else { throw .failed("the instance sent an invalid reply to GetRecording") }
    self.init(
      version: version, configuration: configuration, lines: lines, names: names.compactMapValues { $0.asString })
  }

  var values: [DBusValue] {
    [
      .string(version), .strings(configuration), .strings(lines),
      .dictionary(names.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }),
    ]
  }
}
