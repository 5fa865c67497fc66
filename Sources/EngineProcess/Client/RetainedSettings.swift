package import Playback

/// The latest commands that set an engine up, in the order in which another engine gets them.
///
/// Invariants: a kind of command occurs once, with its latest value. Commands for a stream are not retained.
package struct RetainedSettings {
  /// Creates the settings of an engine that has the default ones.
  package init() {}

  private var commands: [EngineCommand?] = Array(repeating: nil, count: Kind.allCases.count)

  /// The treatment of the pitch and the output are first: an engine makes a new output for them.
  private enum Kind: Int, CaseIterable {
    case timePitch, sink, volume, isMuted, fade, forwardBuffer, languages, lowPowerMode, crossfading, loudness
  }

  /// The commands in their order.
  package var all: [EngineCommand] { commands.compactMap(\.self) }

  /// Notes a command; one for a stream is ignored.
  package mutating func note(_ command: EngineCommand) {
    let kind: Kind
    switch command {
    case .setTimePitch: kind = .timePitch
    case .setSink: kind = .sink
    case .setVolume: kind = .volume
    case .setMuted: kind = .isMuted
    case .fade: kind = .fade
    case .setForwardBuffer: kind = .forwardBuffer
    case .setAudioLanguages: kind = .languages
    case .setLowPowerMode: kind = .lowPowerMode
    case .setCrossfading: kind = .crossfading
    case .measureLoudness: kind = .loudness
    case .load, .unload, .prepare, .crossfade, .enter, .leave, .release, .setPlaying, .seek, .endStream, .withdraw,
      .selectAudioTrack, .shapeVolume, .describeStream, .samplePosition:
      return
    }
    commands[kind.rawValue] = command
  }

  /// Forgets the settings that a player sends again after an engine was replaced; the fade begins from its default.
  package mutating func engineEnded() {
    let kept: [Kind] = [.timePitch, .sink, .loudness]
    for kind in Kind.allCases where !kept.contains(kind) { commands[kind.rawValue] = nil }
  }
}
