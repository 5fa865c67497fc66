public import AVFoundation
public import MPRISService
import PlayerMPRIS

extension MPRISService {
  /// Creates the service of an `AVPlayer`: clients show the tags of its current item and control it, without an
  /// `MPNowPlayingInfoCenter`.
  ///
  /// ```swift
  /// try await MPRISService(identity: "My Player", player: player).run()
  /// ```
  ///
  /// - Parameters:
  ///   - identity: The display name, such as `My Player`; not empty.
  ///   - name: The name for commands; by default, it is derived from `identity`.
  ///   - desktopEntry: The name of the program's desktop file without `.desktop`; nil without such a file.
  ///   - player: The player. Its loop and order belong to the program, so clients do not see them.
  public init(identity: String, name: String? = nil, desktopEntry: String? = nil, player: AVPlayer) {
    self.init(
      identity: identity, name: name,
      player: MPRISPlayerBridge(player.player, desktopEntry: desktopEntry, hasOrder: false, owner: player))
  }
}
