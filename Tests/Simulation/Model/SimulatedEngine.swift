import Playback
import Synchronization

/// The engine of a simulated player: it records the commands, which the run passes to the model of the engine.
final class SimulatedEngine: PlaybackEngine {
  private struct State {
    var client: EngineClient?
    var commands: [EngineCommand] = []
    var progress: [StreamToken: StreamProgress] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  func open(_ client: EngineClient) { state.withLock { $0.client = client } }

  func perform(_ command: EngineCommand) { state.withLock { if !$0.isClosed { $0.commands.append(command) } } }

  func progress(of stream: StreamToken) -> StreamProgress? { state.withLock { $0.progress[stream] } }

  func close() { state.withLock { $0.isClosed = true } }

  func closed() async {}

  // MARK: For the run

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Removes and returns the recorded commands.
  func takeCommands() -> [EngineCommand] {
    state.withLock { state in
      guard !state.commands.isEmpty else { return [] }
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Sets the progress that readers get; nil for a stream that is closed.
  func publish(_ progress: StreamProgress?, of stream: StreamToken) {
    state.withLock { $0.progress[stream] = progress }
  }

  func report(_ event: EngineEvent) { state.withLock { $0.isClosed ? nil : $0.client }?.report(event) }
}
