import GstPlayer
import Logging
import MPRISService
import PlayerdInterfaces
import Synchronization

/// The daily wishes: stop after this track, fall asleep, repeat a part, go by chapters, play elsewhere.
///
/// It hears the player's events before the bus is told of them, so that what it does at the end of a track is part of
/// the same change.
final class Extras: ExtrasPlayer {
  private let player: Player
  private let news: ExtrasNews
  private let sleep: SleepTimer
  private let part: PartRepeat
  let outputs: OutputChoice
  /// Set once, by the initialiser.
  private let observation = Mutex<PlayerObservation?>(nil)

  init(_ coordinator: PlaybackCoordinator, configuredDevice: String = "", log: Logger) {
    let (player, news) = (coordinator.player, ExtrasNews())
    self.player = player
    self.news = news
    sleep = SleepTimer { setting in
      Self.fallAsleep(coordinator, setting)
      news.tell()
    }
    part = PartRepeat(player)
    outputs = OutputChoice(player, configuredDevice: configuredDevice, log: log) { news.tell() }
    let events = player.addEventObserver { [weak self] in self?.heard($0) }
    observation.withLock { $0 = events }
  }

  /// Calls `changed` whenever ``snapshot(of:)`` is another one without news from the player.
  func observe(_ changed: @escaping @Sendable () -> Void) { news.observe(changed) }

  func snapshot(of state: Player.Snapshot) -> ExtrasSnapshot {
    var extras = ExtrasSnapshot()
    extras.stopsAfterCurrent = state.actionAtItemEnd == .stop
    let setting = sleep.setting
    extras.sleepDeadline = setting?.deadline
    extras.sleepsAfterTrack = setting?.isAfterTrack ?? false
    extras.abRepeat = part.part(of: state.currentItem)
    extras.audioOutputs = outputs.known.map { .init(id: $0.id, name: $0.name, isDefault: $0.isDefault) }
    extras.audioOutput = state.audioOutput?.id ?? ""
    return extras
  }

  func perform(_ command: ExtrasCommand) throws(CommandError) {
    switch command {
    case .setStopAfterCurrent(let stops): player.setActionAtItemEnd(stops ? .stop : .advance)
    case .setSleepTimer(let delay, let afterTrack):
      sleep.set(delay, afterTrack: afterTrack)
      news.tell()
    case .setABRepeat(let range):
      try part.set(range)
      news.tell()
    case .nextChapter:
      let state = player.snapshot
      if let start = ChapterSkip.next(of: state.chapters, at: state.position) { player.seek(to: start) }
    case .previousChapter:
      let state = player.snapshot
      if let start = ChapterSkip.previous(of: state.chapters, at: state.position) { player.seek(to: start) }
    case .refreshAudioOutputs: outputs.refresh()
    case .setAudioOutput(let id): outputs.choose(id)
    }
  }

  private func heard(_ event: PlayerEvent) {
    switch event {
    case .changed: outputs.follow(player.snapshot)
    case .currentItemChanged(_, let item): part.forget(unless: item)
    case .itemDidPlayToEnd:
      // It was for this track.
      let state = player.snapshot
      if state.actionAtItemEnd == .stop, state.transport == .stopped { player.setActionAtItemEnd(.advance) }
    default: break
    }
  }

  /// A stream without an end is not waited for.
  private static func fallAsleep(_ coordinator: PlaybackCoordinator, _ setting: SleepTimer.Setting) {
    let state = coordinator.player.snapshot
    if setting.isAfterTrack, state.transport == .playing, state.duration != nil {
      coordinator.player.setActionAtItemEnd(.stop)
    } else {
      coordinator.pause()
    }
  }
}

/// Who is to be told that extras have changed.
final class ExtrasNews: Sendable {
  private let changed = Mutex<@Sendable () -> Void>({})

  func observe(_ changed: @escaping @Sendable () -> Void) { self.changed.withLock { $0 = changed } }

  func tell() { changed.withLock { $0 }() }
}
