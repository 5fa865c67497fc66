import MPRISService
import Playback
import PlayerdInterfaces

/// Converts the player's values to those of Monitor1.
extension MonitorSnapshot {
  init(_ playback: PlaybackCoordinator.Snapshot, lastFailure: Failure?) {
    self.init()
    let state = playback.player
    track = state.track
    itemStatus = ItemStatus(state.itemStatus)
    switch state.timeControlStatus {
    case .paused: timeControlStatus = .paused
    case .playing: timeControlStatus = .playing
    case .waitingToPlay(let reason):
      timeControlStatus = .waitingToPlay
      let isReconnecting = state.isReconnecting && reason == .evaluatingBufferingRate
      waitingReason = isReconnecting ? .noConnection : WaitingReason(rawValue: reason.rawValue)
    }
    if playback.isOpening, playback.status == .playing {
      timeControlStatus = .waitingToPlay
      waitingReason = .noItemToPlay
    }
    isPlaybackBufferEmpty = state.isPlaybackBufferEmpty
    isPlaybackBufferFull = state.isPlaybackBufferFull
    isPlaybackLikelyToKeepUp = state.isPlaybackLikelyToKeepUp
    bufferingPercent = state.bufferingPercent
    anchor.position = state.anchor.position
    anchor.monotonicMicroseconds = state.anchor.monotonicNanoseconds / 1000
    anchor.rate = state.anchor.rate
    duration = state.duration
    chapters = state.chapters.map { chapter in
      Chapter(start: chapter.start, duration: chapter.duration ?? .zero, title: chapter.title ?? "")
    }
    currentChapter = state.currentChapterIndex
    isMuted = state.isMuted
    queueIndex = state.currentIndex
    queueCount = state.itemCount
    queueRevision = state.queueRevision
    shuffleMode = state.shuffleMode.rawValue
    self.lastFailure = lastFailure
    seekableTimeRanges = state.seekableTimeRanges
    loadedTimeRanges = state.loadedTimeRanges
  }
}

extension MonitorSnapshot.ItemStatus {
  fileprivate init(_ status: Player.ItemStatus) {
    switch status {
    case .unknown: self = .unknown
    case .readyToPlay: self = .readyToPlay
    case .failed: self = .failed
    }
  }
}

extension MonitorSnapshot.Failure {
  init(_ error: PlayerError, uri: String = "") {
    self.init(code: error.code.rawValue, message: error.message, uri: uri)
  }
}
