import FoundationEssentials
package import Playback

/// A file of `mpris-playerd report`.
package struct ReportFile: Sendable {
  package var header: ReportHeader
  /// The recorded inputs; nil if the report has none.
  package var recording: PlaybackRecording?

  /// The reason why a file cannot be read.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads the text of a file.
  package init(_ text: String) throws(Fault) {
    var lines = text.split(separator: "\n")[...]
    guard let first = lines.popFirst() else { throw Fault(description: "the file is empty") }
    header = try Self.decode(first, at: 1)
    guard header.report == ReportHeader.format else {
      throw Fault(
        description: "the format is \(header.report), not \(ReportHeader.format): check out version \(header.version)")
    }
    guard let second = lines.popFirst() else { return }
    let base: RecordedState = try Self.decode(second, at: 2)
    var inputs: [RecordedInput] = []
    for (index, line) in lines.enumerated() { inputs.append(try Self.decode(line, at: index + 3)) }
    recording = PlaybackRecording(base: base, inputs: inputs)
  }

  /// Creates a file of a recording.
  package init(_ recording: PlaybackRecording) {
    header = ReportHeader(version: "", configuration: [], doctor: [])
    self.recording = recording
  }

  private static func decode<Value: Decodable>(_ line: Substring, at number: Int) throws(Fault) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(line.utf8))
    } catch {
      throw Fault(description: "line \(number): \(error)")
    }
  }

  /// Returns the text of the file.
  package func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var lines = [try encoder.encode(header)]
    if let recording {
      lines.append(try encoder.encode(recording.base))
      for input in recording.inputs { lines.append(try encoder.encode(input)) }
    }
    return lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
  }
}
