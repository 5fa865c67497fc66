import TestSupport

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
  /// The name of the input's case, or of the engine event.
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

/// The table of transitions in the README of the machine.
struct TransitionTable {
  static let document = GeneratedTable("transitions", in: "Sources/Playback/Machine/README.md")

  private let transitions: Set<StreamTransition>

  init(_ transitions: Set<StreamTransition>) { self.transitions = transitions }

  var text: String {
    var text = GeneratedTable.row(["From", "To", "Commands", "Engine and clock"]) + "|---|---|---|---|\n"
    for from in StreamState.allCases {
      var never: [String] = []
      for to in StreamState.allCases {
        let inputs = transitions.filter { $0.from == from && $0.to == to }
        func cell(_ isCommand: Bool) -> String {
          inputs.filter { $0.isCommand == isCommand }.map(\.input).sorted().map { "`\($0)`" }.joined(separator: ", ")
        }
        if !inputs.isEmpty {
          text += GeneratedTable.row([from.rawValue, to.rawValue, cell(true), cell(false)])
        } else if from != to {
          never.append(to.rawValue)
        }
      }
      if !never.isEmpty { text += GeneratedTable.row([from.rawValue, "never", never.joined(separator: ", "), ""]) }
    }
    return text
  }

  /// Whether the table of the document has a transition.
  static func contains(_ transition: StreamTransition, in document: String) -> Bool {
    let start = "| \(transition.from.rawValue) | \(transition.to.rawValue) |"
    return document.split(separator: "\n").contains { $0.hasPrefix(start) && $0.contains("`\(transition.input)`") }
  }
}
