@testable import Playback

extension MachineHarness {
  /// The command that plans the current item alone, from its stream's start to the end of its media.
  var itemPlan: EngineCommand { .plan([PlannedPart(token)]) }

  /// The commands with which playback of the only open stream ends.
  static func end(of stream: StreamToken) -> [EngineCommand] { [.close(stream), .setPlaying(false), .plan([])] }
}
