import DBus
import EventLoop
import GstPlayer
import Logging

/// The machine's sleep and shutdown, as systemd-logind tells of them on the system bus.
///
/// Without a system bus, or without logind on it, it ends at once: nothing is tried again, and nothing wakes.
/// <https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html>
actor LoginWatch {
  private static let service: BusName = "org.freedesktop.login1"
  private static let path: ObjectPath = "/org/freedesktop/login1"
  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

  private let coordinator: PlaybackCoordinator
  private let settings: Settings
  private let loop: EventLoop
  private let log: Logger
  /// Writes what is to last, and returns when it is on the disk.
  private let save: @Sendable () async -> Void
  private let tellPosition: @Sendable () -> Void
  private var course = SleepCourse()
  /// Letting go of the descriptor lets go of the lock.
  private var delay: FileDescriptor?
  private var block: FileDescriptor?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(
    _ coordinator: PlaybackCoordinator, settings: Settings, on loop: EventLoop, log: Logger,
    save: @escaping @Sendable () async -> Void,
    tellPosition: @escaping @Sendable () -> Void
  ) {
    self.coordinator = coordinator
    self.settings = settings
    self.loop = loop
    self.log = log
    self.save = save
    self.tellPosition = tellPosition
  }

  /// Follows the login service until the system bus goes or the task is cancelled.
  func run() async {
    do throws(DBusError) {
      let connection = try await Connection.open(address: Connection.systemBusAddress(), on: loop)
      if await connection.owner(of: Self.service) != nil { try await follow(connection) }
      await connection.close()
    } catch {
      log.debug("no login service: \(error.message)")
    }
    (delay, block) = (nil, nil)
  }

  private func follow(_ connection: Connection) async throws(DBusError) {
    let signals = try await connection.signals(from: Self.service, path: Self.path, interface: Self.manager)
    let news = coordinator.player.events()
    let executor = connection.taskExecutor
    // One after the other, whatever a lock takes: what is asked for last holds.
    let (events, inbox) = AsyncStream.makeStream(of: SleepCourse.Event.self)
    inbox.yield(.began)
    await withTaskGroup { group in
      group.addTask(executorPreference: executor) { [coordinator] in
        for await signal in signals {
          guard let event = SleepCourse.Event(signal) else { continue }
          // News of the player may be on their way still: what it does now counts.
          if event == .sleep { inbox.yield(.playing(coordinator.snapshot.status == .playing)) }
          inbox.yield(event)
        }
      }
      group.addTask(executorPreference: executor) { [coordinator] in
        inbox.yield(.playing(coordinator.snapshot.status == .playing))
        for await _ in news { inbox.yield(.playing(coordinator.snapshot.status == .playing)) }
      }
      group.addTask(executorPreference: executor) {
        for await event in events { await self.handle(event, connection) }
      }
      group.addTask(executorPreference: executor) { await connection.closed() }
      await group.next()
      group.cancelAll()
    }
  }

  private func handle(_ event: SleepCourse.Event, _ connection: Connection) async {
    let configuration = settings.current
    let steps = course.steps(for: event, policy: configuration.pauseOnSleep, inhibits: configuration.inhibitSleep)
    for step in steps {
      switch step {
      case .pause: coordinator.pause(fading: false)
      case .play: coordinator.play()
      case .save: await save()
      case .takeDelay: delay = await lock("sleep:shutdown", "delay", "music is paused, its place kept", connection)
      case .releaseDelay: delay = nil
      case .takeBlock: block = await lock("idle:sleep", "block", "music plays", connection)
      case .releaseBlock: block = nil
      case .tellPosition: tellPosition()
      }
    }
  }

  /// Takes a lock; nil where that is refused.
  private func lock(_ what: String, _ mode: String, _ why: String, _ connection: Connection) async -> FileDescriptor? {
    do throws(DBusError) {
      let reply = try await connection.call(
        on: Self.service, at: Self.path, of: Self.manager, "Inhibit",
        [.string(what), .string(Names.executable), .string(why), .string(mode)])
      return reply.first?.asFileDescriptor
    } catch {
      log.debug("\(what) is not ours to \(mode): \(error.message)")
      return nil
    }
  }
}

extension SleepCourse.Event {
  /// What a signal of the login service tells; nil for any other.
  fileprivate init?(_ signal: SignalMessage) {
    guard let begins = signal.arguments.first?.asBool else { return nil }
    switch signal.member {
    case "PrepareForSleep": self = begins ? .sleep : .wake
    case "PrepareForShutdown": self = begins ? .shutdown : .shutdownCancelled
    default: return nil
    }
  }
}
