import DBus
import MPRISService
import PlayerdInterfaces
import PlayerdSystem

/// The output of `watch --format`: a line when the text changes, and an empty one without a track or a player.
package struct WatchTemplate: WatchDisplay {
  private let template: StatusTemplate
  private let feed: WatchFeed
  private var shown: String?

  package init(_ template: StatusTemplate, _ feed: WatchFeed) { (self.template, self.feed) = (template, feed) }

  package mutating func show(_ update: WatchFeed.Update) async -> Bool {
    switch update {
    case .absent, .gone: return write("")
    case .records(_, let player):
      // Without a reply, the player has quit, which the next update reports.
      guard let values = await feed.templateValues(player) else { return true }
      let hasTrack = values["mpris:trackid"] ?? .none != .none
      return write(hasTrack ? template.text(values).withoutControls : "")
    }
  }

  private mutating func write(_ text: String) -> Bool {
    guard text != shown else { return true }
    shown = text
    return StandardOutput.write(text + "\n")
  }
}

extension WatchFeed {
  /// Returns the present values of a template; nil if the player has left the bus.
  fileprivate func templateValues(_ player: WatchedPlayer) async -> [String: StatusTemplate.Value]? {
    // A call to the well-known name could start a daemon.
    guard let name = try? PlayerdName.own(instance), let owner = await connection.owner(of: name) else { return nil }
    let control = DBusProxy(ControlInterface.name, at: PlayerdName.object, of: owner, on: connection)
    guard let status = try? await control.call(ControlInterface.getStatus) else { return nil }
    return status.templateValues(player.mpris[PlayerInterface.metadata])
  }
}
