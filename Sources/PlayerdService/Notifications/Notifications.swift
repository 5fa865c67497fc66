import DBus
import EventLoop
import Logging
import MPRISService
import PlayerdConfiguration
import PlayerdSystem
import Synchronization

/// Shows the track that plays as a notification of the desktop, and handles its buttons.
///
/// There is one notification, which each track replaces. Without a session bus or a notification server, nothing is shown.
///
/// <https://specifications.freedesktop.org/notification-spec/latest/>
struct Notifications: Sendable {
  private let settings: Settings
  private let coordinator: PlaybackCoordinator
  private let loop: PollLoop
  private let log: Logger
  /// The tracks to show; while a track is being shown, only the latest of the next tracks is kept.
  private let tracks: AsyncStream<MPRISMetadata.Fields>
  private let inbox: AsyncStream<MPRISMetadata.Fields>.Continuation

  init(_ coordinator: PlaybackCoordinator, settings: Settings, on loop: PollLoop, log: Logger) {
    (self.settings, self.coordinator, self.loop, self.log) = (settings, coordinator, loop, log)
    (tracks, inbox) = AsyncStream.makeStream(of: MPRISMetadata.Fields.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Shows the track of a report soon, if the key `notify` is set; never blocks.
  func show(_ report: PlaybackReport) {
    guard report.kind == .track, settings.current.notifies, let track = report.track else { return }
    inbox.yield(track)
  }

  /// Shows the tracks until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      var server: NotificationServer?
      for await track in tracks {
        if server.map({ $0.isClosed }) ?? true {
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

/// The content of a notification.
struct Notification: Equatable, Sendable {
  /// A button.
  enum Action: String, CaseIterable, Sendable {
    case pause, next

    var label: String { self == .pause ? "Pause" : "Next" }
  }

  var title: String
  var artist: String
  var album: String
  var cover: String?

  init(_ track: MPRISMetadata.Fields) {
    (title, artist, album) = (track.title, track.artists.joined(separator: ", "), track.album ?? "")
    cover = track.artURL
  }

  /// Returns the arguments of Notify, for a server with these capabilities.
  func arguments(replacing id: UInt32, _ capabilities: [String]) -> [DBusValue] {
    let body = joinedTexts([artist, album], by: "\n")
    let actions = capabilities.contains("actions") ? Action.allCases.flatMap { [$0.rawValue, $0.label] } : []
    var hints: [(String, DBusValue)] = [
      ("desktop-entry", .string(Names.executable)), ("suppress-sound", .boolean(true)), ("transient", .boolean(true)),
    ]
    if let cover { hints.append(("image-path", .string(cover))) }
    return [
      .string(Names.executable), .uint32(id), .string(Names.executable), .string(title),
      .string(capabilities.contains("body-markup") ? body.markupEscaped : body), .strings(actions), .dictionary(hints),
      .int32(-1),
    ]
  }
}
