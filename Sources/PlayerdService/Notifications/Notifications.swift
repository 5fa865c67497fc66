import DBus
import EventLoop
import Logging
import MPRISService
import PlayerdConfiguration
import PlayerdSystem
import Synchronization

/// Shows the track that plays as a notification of the desktop, and handles its buttons.
///
/// There is one notification, which each track replaces. It is closed when playback stops, and at the end of the player.
/// Without a session bus or a notification server, nothing is shown.
///
/// <https://specifications.freedesktop.org/notification-spec/latest/>
struct Notifications: Sendable {
  private let settings: Settings
  private let coordinator: PlaybackCoordinator
  private let loop: PollLoop
  private let log: Logger
  /// The tracks to show, and nil after a stop; while the server is called, only the latest one is kept.
  private let tracks: AsyncStream<MPRISMetadata.Fields?>
  private let inbox: AsyncStream<MPRISMetadata.Fields?>.Continuation

  init(_ coordinator: PlaybackCoordinator, settings: Settings, on loop: PollLoop, log: Logger) {
    (self.settings, self.coordinator, self.loop, self.log) = (settings, coordinator, loop, log)
    (tracks, inbox) = AsyncStream.makeStream(of: MPRISMetadata.Fields?.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Shows the track of a report soon, if the key `notify` is set, or closes the notification after a stop; never blocks.
  func show(_ report: PlaybackReport) {
    switch report.kind {
    case .track: if settings.current.notifies, let track = report.track { inbox.yield(track) }
    case .stop: inbox.yield(nil)
    case .error: break
    }
  }

  /// Shows the tracks until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      var server: NotificationServer?
      for await track in tracks {
        guard let track else {
          await server?.withdraw()
          continue
        }
        if server?.isClosed ?? true {
          server = await NotificationServer.open(on: loop, perform: perform)
          if let server { group.addTask { await server.run() } }
        }
        do throws(DBusError) {
          try await server?.show(Notification(track))
        } catch {
          log.debug("no notification is shown: \(error.message)")
        }
      }
      group.cancelAll()
      await server?.close()
    }
  }

  @Sendable private func perform(_ action: Notification.Action) {
    switch action {
    case .next: coordinator.next()
    case .pause: coordinator.pause()
    }
  }
}
