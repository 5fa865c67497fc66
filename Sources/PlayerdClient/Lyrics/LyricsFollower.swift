package import DBus
import MPRISService
package import PlayerdInterfaces

/// Follows the lyrics of the current track of a daemon, across its restarts.
///
/// The daemon sends the lines only while they are observed.
package struct LyricsFollower: Sendable {
  let connection: DBusConnection
  let instance: InstanceName
  package private(set) var sheet = LyricsSheet()
  /// The daemon that sends the lines, and the number of the observer there.
  private var observer: (monitor: MonitorClient, id: UInt32)?

  package init(connection: DBusConnection, instance: InstanceName) {
    (self.connection, self.instance) = (connection, instance)
  }

  /// Takes an update of the daemon; the first one of each daemon adds the observer.
  package mutating func take(_ update: WatchFeed.Update) async {
    switch update {
    case .absent, .gone:
      observer = nil
      sheet = LyricsSheet()
    case .records(let records, let player):
      if observer == nil { return await start(player) }
      for record in records {
        switch record.event {
        case .track: await reload(player)
        case .lyrics(let text, _):
          // The lyrics may have arrived later than the other tags.
          if !sheet.begin(text, at: record.position ?? 0) { await reload(player) }
        case .seeked: sheet.move(to: record.position)
        case .state: if player.status == "Stopped" { sheet.move(to: record.position) }
        default: break
        }
      }
    }
  }

  /// Begins to observe the lines.
  mutating func start(_ player: WatchedPlayer) async {
    guard observer == nil, let name = try? PlayerdName.mpris(instance), let owner = await connection.owner(of: name)
    else {
      return
    }
    let monitor = MonitorClient(of: owner, on: connection)
    // Fails if the daemon is leaving, which is another update.
    guard let id = try? await monitor.addLyricsObserver() else { return }
    observer = (monitor, id)
    await reload(player)
  }

  /// Ends the observation, and the work of the daemon for it.
  mutating func stop() async {
    try? await observer?.monitor.removeObserver(observer?.id ?? 0)
    observer = nil
    sheet = LyricsSheet()
  }

  private mutating func reload(_ player: WatchedPlayer) async {
    let lines = try? await observer?.monitor.lyrics()
    sheet.show(lines ?? [], at: player.position(at: monotonicMicroseconds()))
  }
}
