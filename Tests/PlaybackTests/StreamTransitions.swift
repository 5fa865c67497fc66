import FoundationEssentials

@testable import Playback

/// The state of the current item's stream, as the table of transitions names it.
enum StreamState: String, CaseIterable, Comparable {
  case none, loading, held, starting, running, ended, released
  case outputLost = "output lost"
  case sourceLost = "source lost"

  static func < (left: StreamState, right: StreamState) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// A change of the stream by one input; from a state to itself, the change is another stream.
struct StreamTransition: Hashable {
  var from: StreamState
  var to: StreamState
  /// The name of the input's case, or that of the engine event.
  var input: String
  /// Whether the input is a command.
  var isCommand: Bool
}

extension StreamTransition {
  init(from: StreamState, to: StreamState, by input: PlaybackInput) {
    let name: String
    switch input {
    case .event(.stream(_, let event)): (name, isCommand) = (Self.name(of: event), false)
    case .event(.output(let event)): (name, isCommand) = ("output." + Self.name(of: event), false)
    case .event(let event): (name, isCommand) = (Self.name(of: event), false)
    case .wake, .sampleForReader, .progress: (name, isCommand) = (Self.name(of: input), false)
    default: (name, isCommand) = (Self.name(of: input), true)
    }
    (self.from, self.to, self.input) = (from, to, name)
  }

  /// Returns the name of a value's case; printing all of the value would take a tenth of a search.
  private static func name<Value>(of value: Value) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }
}

/// The table of transitions in the folder of the machine.
struct TransitionTable: Equatable {
  /// The transitions that are possible.
  var transitions: Set<StreamTransition> = []
  /// The states that never follow a state.
  private var impossible: [StreamState: Set<StreamState>] = [:]

  init(_ transitions: Set<StreamTransition>) {
    self.transitions = transitions
    for from in StreamState.allCases {
      let next = Set(transitions.filter { $0.from == from }.map(\.to))
      impossible[from] = Set(StreamState.allCases).subtracting(next).subtracting([from])
    }
  }

  // MARK: Text

  private static let header = """
    | From | To | Commands | Engine and clock |
    |---|---|---|---|

    """

  /// Reads the table of a document.
  init(document: String) {
    for line in document.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimming(" ") }
      guard cells.count == 4, let from = StreamState(rawValue: cells[0]) else { continue }
      if cells[1] == "never" {
        impossible[from] = Set(cells[2].split(separator: ", ").compactMap { StreamState(rawValue: String($0)) })
      } else if let to = StreamState(rawValue: cells[1]) {
        for (cell, isCommand) in [(cells[2], true), (cells[3], false)] {
          for input in cell.split(separator: ", ") {
            let transition = StreamTransition(from: from, to: to, input: input.trimming("`"), isCommand: isCommand)
            transitions.insert(transition)
          }
        }
      }
    }
  }

  var text: String {
    var text = Self.header
    for from in StreamState.allCases {
      for to in StreamState.allCases {
        let inputs = transitions.filter { $0.from == from && $0.to == to }
        guard !inputs.isEmpty else { continue }
        func cell(_ isCommand: Bool) -> String {
          inputs.filter { $0.isCommand == isCommand }.map(\.input).sorted().map { "`\($0)`" }.joined(separator: ", ")
        }
        text += "| \(from.rawValue) | \(to.rawValue) | \(cell(true)) | \(cell(false)) |\n".replacing("  ", with: " ")
      }
      let never = (impossible[from] ?? []).sorted().map(\.rawValue).joined(separator: ", ")
      if !never.isEmpty { text += "| \(from.rawValue) | never | \(never) | |\n" }
    }
    return text
  }

  // MARK: The document

  private static let file =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    + "/Sources/Playback/Machine/README.md"

  static func document() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  /// Replaces the table in the document.
  func write() throws {
    let lines = try Self.document().split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("| From |") }) else { return }
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    let table = text.split(separator: "\n")[...]
    try [lines[..<start], table, lines[end...]].joined().joined(separator: "\n")
      .write(toFile: Self.file, atomically: true, encoding: .utf8)
  }
}

extension StringProtocol {
  fileprivate func trimming(_ character: Character) -> String {
    String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
  }
}
