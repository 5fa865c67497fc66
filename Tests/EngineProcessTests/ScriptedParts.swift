import Joining
import Synchronization
import TestSupport

@testable import EngineProcess
@testable import Playback

/// The output and the decks of a server, which record their calls.
final class ScriptedParts: OutputService, DeckService {
  /// A call of a part of the engine.
  enum Call: Equatable {
    case output(OutputCommand)
    case deck(StreamToken, DeckCommand)
    case attach(StreamToken)
    case arrived(StreamToken)
    case detach(StreamToken)
    case used(Passage, before: Int64)
    case close
  }

  let calls = EventLog<Call>()
  /// The closures with which the parts report, once they are made.
  let output = EventLog<(report: @Sendable (OutputReport) -> Void, hangs: @Sendable () -> Void)>()
  let decks = EventLog<@Sendable (StreamToken, DeckReport) -> Void>()
  /// Whether something is to be reported when a frame of a stream is used.
  let isExact = Atomic(false)
  private let sources = Mutex<[StreamToken: any SampleSource]>([:])
  private let targets = Mutex<[StreamToken: any SampleTarget]>([:])

  var parts: EngineParts {
    EngineParts { [self] _, _, report, hangs in
      output.append((report, hangs))
      return self
    } makeDecks: { [self] _, report in
      decks.append(report)
      return self
    }
  }

  /// The source of a stream's samples, while it is attached.
  func source(_ stream: StreamToken) -> (any SampleSource)? { sources.withLock { $0[stream] } }
  /// The target of a stream's samples, while it is attached.
  func target(_ stream: StreamToken) -> (any SampleTarget)? { targets.withLock { $0[stream] } }

  // MARK: Output

  func perform(_ command: OutputCommand) { calls.append(.output(command)) }

  func attach(_ stream: StreamToken, _ samples: any SampleSource) {
    sources.withLock { $0[stream] = samples }
    calls.append(.attach(stream))
  }

  func samplesArrived(of stream: StreamToken) { calls.append(.arrived(stream)) }

  func detach(_ stream: StreamToken) {
    sources.withLock { $0[stream] = nil }
    calls.append(.detach(stream))
  }

  // MARK: Decks

  var sampleLimit: Duration { .seconds(4) }

  func perform(_ command: DeckCommand, of stream: StreamToken) {
    if command == .close { targets.withLock { $0[stream] = nil } }
    calls.append(.deck(stream, command))
  }

  func attach(_ stream: StreamToken, _ target: any SampleTarget) {
    targets.withLock { $0[stream] = target }
    calls.append(.attach(stream))
  }

  func use(_ passage: Passage, before frame: Int64) { calls.append(.used(passage, before: frame)) }

  func awaitsFrame(of stream: StreamToken) -> Bool { isExact.load(ordering: .relaxed) }

  func close() async { calls.append(.close) }
}
