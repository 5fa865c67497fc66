public import Foundation
import GstPlayer
import Synchronization

extension AVAsset {
  // MARK: Media selection

  /// Loads the audio tracks to select from; nil for another characteristic, and for media with one track.
  public func loadMediaSelectionGroup(for mediaCharacteristic: AVMediaCharacteristic) async throws
    -> AVMediaSelectionGroup?
  {
    mediaSelectionGroup(mediaCharacteristic, in: tracks(of: try await description()))
  }

  /// Loads the audio tracks to select from, and calls `completionHandler` on any thread.
  @preconcurrency
  public func loadMediaSelectionGroup(
    for mediaCharacteristic: AVMediaCharacteristic,
    completionHandler: @escaping @Sendable (AVMediaSelectionGroup?, (any Error)?) -> Void
  ) {
    load(completionHandler) { asset, description in
      asset.mediaSelectionGroup(mediaCharacteristic, in: asset.tracks(of: description))
    }
  }

  /// Returns the audio tracks to select from; nil for another characteristic, and for media with one track.
  public func mediaSelectionGroup(
    forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> AVMediaSelectionGroup? {
    mediaSelectionGroup(mediaCharacteristic, in: tracks)
  }

  /// The characteristics with a group: `audible` for media with several audio tracks.
  public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
    mediaSelectionGroup(forMediaCharacteristic: .audible) == nil ? [] : [.audible]
  }

  private func mediaSelectionGroup(
    _ characteristic: AVMediaCharacteristic, in tracks: [AVAssetTrack]
  ) -> AVMediaSelectionGroup? {
    let tracks = tracks.filter { $0.mediaType == .audio }
    guard characteristic == .audible, tracks.count > 1 else { return nil }
    return AVMediaSelectionGroup(tracks.enumerated().map { AVMediaSelectionOption($1, index: $0) })
  }
}

extension AVPlayerItem {
  // MARK: Media selection

  /// Posted when another audio track of an item plays, on the main queue; the object is the item.
  nonisolated public static let mediaSelectionDidChangeNotification = Notification.Name(
    "AVPlayerItemMediaSelectionDidChangeNotification")

  /// The audio track that is selected.
  nonisolated public var currentMediaSelection: AVMediaSelection {
    AVMediaSelection(
      snapshot?.audioTrackIndex ?? state.withLock { $0.selectedTrack } ?? facts?.audioTrackIndex, of: asset)
  }

  /// Selects an audio track; before the item is current, for its next playback.
  ///
  /// Nil is ignored, as is an option that the group does not have.
  /// Playback continues with the other track at the same position.
  nonisolated public func select(
    _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
  ) {
    guard let option = mediaSelectionOption, mediaSelectionGroup.options.contains(option) else { return }
    select(option.index)
  }

  /// Selects an audio track by its index.
  nonisolated func select(_ index: Int) {
    let facts = facts
    let selection = state.withLock { state in
      (state.selectedTrack, state.selectionOwner) = (index, nil)
      return state.id.flatMap { id in facts.flatMap { state.takeSelection(for: id, $0) } }
    }
    if let selection, snapshot != nil { owner?.player.selectAudioTrack(at: selection) }
  }

  /// Selects the audio track that the criteria of the player prefer, or else the default one.
  nonisolated public func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
    let languages = owner?.player.preferredAudioLanguages ?? []
    let options = AVMediaSelectionGroup.mediaSelectionOptions(
      from: mediaSelectionGroup.options, filteredAndSortedAccordingToPreferredLanguages: languages)
    select(options.first ?? mediaSelectionGroup.defaultOption, in: mediaSelectionGroup)
  }

  /// Returns the option of a group that is selected.
  nonisolated public func selectedMediaOption(
    in mediaSelectionGroup: AVMediaSelectionGroup
  ) -> AVMediaSelectionOption? {
    currentMediaSelection.selectedMediaOption(in: mediaSelectionGroup)
  }
}

extension AVPlayer {
  // MARK: Media selection

  /// Whether the criteria select the tracks of items; initially true.
  nonisolated public var appliesMediaSelectionCriteriaAutomatically: Bool {
    get { state.withLock { $0.appliesCriteria } }
    set {
      state.withLock { $0.appliesCriteria = newValue }
      applyCriteria()
    }
  }

  /// Sets the criteria of a characteristic, nil for none; those of `audible` apply from the next item that is opened.
  nonisolated public func setMediaSelectionCriteria(
    _ criteria: AVPlayerMediaSelectionCriteria?, forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) {
    state.withLock { $0.criteria[mediaCharacteristic] = criteria }
    applyCriteria()
  }

  /// Returns the criteria of a characteristic; nil for none.
  nonisolated public func mediaSelectionCriteria(
    forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> AVPlayerMediaSelectionCriteria? {
    state.withLock { $0.criteria[mediaCharacteristic] }
  }

  nonisolated private func applyCriteria() {
    player.preferredAudioLanguages = state.withLock { state in
      state.appliesCriteria ? state.criteria[.audible]?.preferredLanguages ?? [] : []
    }
  }
}
