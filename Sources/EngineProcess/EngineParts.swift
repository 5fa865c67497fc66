package import Joining
package import Playback

/// The output of an engine, in a separate process.
package protocol OutputService: AnyObject, Sendable {
  /// Carries out a command after the earlier ones.
  func perform(_ command: OutputCommand)
  /// Takes the samples of a stream, from now on from this source.
  func attach(_ stream: StreamToken, _ samples: any SampleSource)
  /// Notes that the source of a stream has samples.
  func samplesArrived(of stream: StreamToken)
  /// Discards the samples of a stream.
  func detach(_ stream: StreamToken)
  /// Releases the device.
  func close() async
}

/// The decks of an engine, in a separate process.
package protocol DeckService: AnyObject, Sendable {
  /// The duration of the unused samples of a deck from which on it decodes nothing.
  var sampleLimit: Duration { get }
  /// Carries out a command after the earlier ones.
  func perform(_ command: DeckCommand, of stream: StreamToken)
  /// Sets where the samples of a stream go, before it is opened.
  func attach(_ stream: StreamToken, _ target: any SampleTarget)
  /// Notes that the samples of a passage before a frame were used.
  func use(_ passage: Passage, before frame: Int64)
  /// Whether something is to be reported when a frame of the stream is used.
  func awaitsFrame(of stream: StreamToken) -> Bool
  /// Closes all decks.
  func close() async
}

/// Makes the parts of an engine.
package struct EngineParts: Sendable {
  /// Makes an output, which calls `hangs` if a call into a device does not return.
  package var makeOutput:
    @Sendable (
      _ configuration: Player.Configuration, _ settings: EngineSettings,
      _ report: @escaping @Sendable (OutputReport) -> Void, _ hangs: @escaping @Sendable () -> Void
    ) -> any OutputService
  /// Makes decks.
  package var makeDecks:
    @Sendable (
      _ configuration: Player.Configuration, _ report: @escaping @Sendable (StreamToken, DeckReport) -> Void
    ) -> any DeckService

  /// Loads the plug-ins that the first media of any format needs, while the messages of the player are received.
  package var prepareDecoding: @Sendable () -> Void

  package init(
    makeOutput:
      @escaping @Sendable (
        _ configuration: Player.Configuration, _ settings: EngineSettings,
        _ report: @escaping @Sendable (OutputReport) -> Void, _ hangs: @escaping @Sendable () -> Void
      ) -> any OutputService,
    makeDecks:
      @escaping @Sendable (
        _ configuration: Player.Configuration, _ report: @escaping @Sendable (StreamToken, DeckReport) -> Void
      ) -> any DeckService,
    prepareDecoding: @escaping @Sendable () -> Void = {}
  ) { (self.makeOutput, self.makeDecks, self.prepareDecoding) = (makeOutput, makeDecks, prepareDecoding) }
}
