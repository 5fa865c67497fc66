import MPRISService
import Playback
import PlayerMPRIS
import PlayerdInterfaces
import TextCoding

extension MPRISTrackID {
  init(_ item: Player.Item, loopCount: Int = 0) { self.init(item.id, loopCount: loopCount) }
  init(_ id: Player.Item.ID, loopCount: Int = 0) {
    self.init(id.number, passage: loopCount + 1, in: PlayerdName.tracks)
  }
}

extension Player.Snapshot {
  /// The identity of the current track; each repetition of an item has its own.
  var track: MPRISTrackID? { currentItem.map { MPRISTrackID($0, loopCount: loopCount) } }
}

extension MPRISMetadata.Fields {
  /// Creates the MPRIS fields of the first passage of an item.
  init(
    _ item: Player.Item, _ tags: MediaMetadata, _ duration: Duration?, artURL: String? = nil, hasLyrics: Bool = false
  ) {
    self.init(item, as: MPRISTrackID(item), tags, duration, artURL: artURL, hasLyrics: hasLyrics)
  }
}
