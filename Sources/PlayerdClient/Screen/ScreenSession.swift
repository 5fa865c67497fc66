import DBus
import Dispatch
package import EventLoop
import Glibc
package import Logging
import PlayerdInterfaces
import PlayerdSystem

/// Shows a daemon on the terminal, and passes the keys to it, until the user leaves.
///
/// All work runs on the thread of the connection. It wakes up for an event of the daemon, a key, and once a second while the
/// shown time changes; a process that the terminal has stopped does not wake up. On a plain terminal, it prints lines, and wakes up
/// for events and keys, and once for a track that opens slowly.
package struct ScreenSession {
  /// The result of a session.
  package enum Ending {
    /// The user has left; the player continues or has quit.
    case left
    /// The daemon of this command has ended.
    case ended
    case failed
  }

  /// The signals that a session handles.
  package static let signals: [CInt] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT]

  /// The longest wait for the rest of a key's sequence.
  private static let keyPatience = Duration.milliseconds(50)

  /// The time in which the daemon may have read the tags of a part of the queue.
  private static let tagPatience = Duration.seconds(2)

  private let feed: WatchFeed
  private let loop: PollLoop
  private let child: ForegroundChild?
  private let log: Logger
  private var action: WatchAction?
  private var terminal: Terminal
  private var screen: PlayerScreen
  /// The lines instead of a drawn screen.
  private var plain = PlainScreen()
  private var keys: ScreenKeyDecoder
  private var timer: EventSources.ID?
  private let events: AsyncStream<ScreenEvent>
  private let report: AsyncStream<ScreenEvent>.Continuation
  private let requests: AsyncStream<PlayerCommands.Request>
  private let request: AsyncStream<PlayerCommands.Request>.Continuation
  /// The parts of the queue to read for the list; only the last one matters.
  private let parts: AsyncStream<Range<Int64>>
  private let readPart: AsyncStream<Range<Int64>>.Continuation

  /// Creates a session; `child` runs the daemon if this command has started it, and `notice` is shown until the first key.
  package init(
    _ terminal: Terminal, _ feed: WatchFeed, on loop: PollLoop, showsLyrics: Bool = false, notice: String? = nil,
    child: ForegroundChild? = nil, action: WatchAction? = nil, log: Logger
  ) {
    (self.terminal, self.feed, self.loop, self.child, self.action, self.log) = (
      terminal, feed, loop, child, action, log
    )
    screen = PlayerScreen(showsLyrics: showsLyrics, ownsPlayer: child != nil, hasMouse: terminal.hasMouse)
    screen.notice = notice
    keys = ScreenKeyDecoder(terminal.keys)
    (events, report) = AsyncStream.makeStream(of: ScreenEvent.self)
    (requests, request) = AsyncStream.makeStream(of: PlayerCommands.Request.self)
    (parts, readPart) = AsyncStream.makeStream(of: Range<Int64>.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Runs until the user leaves, a signal arrives, or the daemon of this command has ended.
  package mutating func run(until signals: AsyncStream<CInt>) async -> Ending {
    let stops = suspensions()
    defer { stops.cancel() }
    child?.watch(on: loop, report)
    let input = loop.watch(STDIN_FILENO, for: .readable) { [report] _ in
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 { report.yield(.input(Array(bytes.prefix(count)))) } else { report.yield(.hangUp) }
    }
    defer { loop.remove(input) }
    // The daemon of this command shows its messages until its player exists.
    if child == nil { terminal.begin() }
    let (feed, requests, parts, report, log) = (feed, requests, parts, report, log)
    var commands = PlayerCommands(
      connection: feed.connection, instance: feed.instance, followsLyrics: screen.showsLyrics, log: log)
    let reader = commands
    let sources = Task(executorPreference: feed.connection.taskExecutor) {
      await withTaskGroup { group in
        group.addTask(executorPreference: feed.connection.taskExecutor) {
          for await signal in signals { report.yield(.signal(signal)) }
        }
        group.addTask(executorPreference: feed.connection.taskExecutor) { await Self.follow(feed, report) }
        group.addTask(executorPreference: feed.connection.taskExecutor) {
          await reader.read(parts) { report.yield($0) }
        }
        for await request in requests { await commands.perform(request) { report.yield($0) } }
        group.cancelAll()
      }
    }
    defer { sources.cancel() }
    var ending: Ending?
    for await event in events {
      ending = handle(event)
      if ending != nil { break }
      if !draw() { ending = .left }
      if ending != nil { break }
    }
    if let timer { loop.cancelTimer(timer) }
    terminal.end()
    return ending ?? .failed
  }

  private static func follow(_ feed: WatchFeed, _ report: AsyncStream<ScreenEvent>.Continuation) async {
    do {
      try await feed.run { update in
        report.yield(.update(update))
        return true
      }
      if !Task.isCancelled { report.yield(.failed("lost the connection to the session bus")) }
    } catch {
      report.yield(.failed("cannot watch the daemon: \(error.message)"))
    }
  }

  // MARK: Events

  private mutating func handle(_ event: ScreenEvent) -> Ending? {
    switch event {
    case .input(let bytes): return press(keys.decode(bytes))
    case .keyTimeout: return press(keys.finish())
    case .hangUp: return .left
    case .suspend: suspend()
    case .signal(let signal): return handle(signal)
    case .tick:
      timer = nil
      if terminal.isPlain { screen.notice = plain.overdue() }
    case .update(let update): show(update)
    case .failed(let message):
      terminal.write { [log] in log.error("\(message)") }
      if child == nil { return .failed }
      screen.player = nil
      screen.notice = message
    case .queue(let queue): if let action = screen.show(queue) { request.yield(.action(action)) }
    case .part(let part):
      if screen.show(part: part) { _ = loop.timer(after: Self.tagPatience) { [report] in report.yield(.tagTimeout) } }
    case .tagTimeout: screen.reloadPart()
    case .lyrics(let sheet): screen.lyrics = sheet
    case .notice(let text): screen.notice = text
    case .output(let text, let isError):
      terminal.write { if isError { _ = StandardError.write(text) } else { StandardOutput.report(text) } }
      if isError, terminal.isActive { screen.notice = text.split(separator: "\n").last.map(String.init) }
    case .ended: return .ended
    }
    return nil
  }

  private mutating func press(_ keys: [ScreenKey]) -> Ending? {
    if self.keys.isWaiting { _ = loop.timer(after: Self.keyPatience) { [report] in report.yield(.keyTimeout) } }
    for key in keys {
      if terminal.isPlain, screen.isTimeKey(key) {
        screen.notice = PlainScreen.time(screen, at: monotonicMicroseconds())
        continue
      }
      let action = screen.press(key, at: monotonicMicroseconds())
      plain.expect(action)
      switch action {
      case .leave(continues: true)?: return .left
      case .leave(continues: false)?:
        guard let child else { return .left }
        child.terminate()
      case let action?: request.yield(.action(action))
      case nil: break
      }
    }
    return nil
  }

  private mutating func handle(_ signal: CInt) -> Ending? {
    switch signal {
    case SIGWINCH: terminal.erase()
    // Something else may have changed the modes while the process was stopped.
    case SIGCONT:
      if terminal.isActive {
        terminal.end()
        terminal.begin()
      }
    case SIGINT, SIGTERM, SIGQUIT:
      guard let child else { return .left }
      child.terminate()
    default: return .left
    }
    return nil
  }

  private mutating func show(_ update: WatchFeed.Update) {
    request.yield(.update(update))
    if terminal.isPlain {
      if case .absent = update { log.notice("waiting for a daemon") }
      if !StandardOutput.write(lines: plain.lines(of: update)) { report.yield(.hangUp) }
    }
    guard case .records(let records, let player) = update else {
      screen.player = nil
      return
    }
    if !terminal.isActive { terminal.begin() }
    screen.player = player
    action?.perform(for: records, player)
    for record in records {
      switch record.event {
      case .track, .queue: if let action = screen.reloadTracks() { request.yield(.action(action)) }
      case .failed(_, let message, let uri):
        if let action = screen.reloadTracks() { request.yield(.action(action)) }
        // The daemon of this command writes it to standard error, and a plain terminal has its line.
        if child == nil, !terminal.isPlain {
          screen.notice = joinedTexts([uri.map { FileURI.name(of: $0) }, message], by: ": ")
        }
      default: break
      }
    }
  }

  // MARK: Terminal

  /// Draws the screen, and sets the timer for the next change of the time; returns false if the terminal is closed.
  private mutating func draw() -> Bool {
    guard terminal.isActive else { return true }
    guard !terminal.isPlain else { return printLines() }
    screen.size = (StandardOutput.columns, StandardOutput.rows)
    if let part = screen.queuePart() { readPart.yield(part) }
    let now = monotonicMicroseconds()
    guard terminal.draw(screen.rows(at: now)) else { return false }
    if let timer { loop.cancelTimer(timer) }
    timer = screen.redrawDelay(at: now).map { delay in
      loop.timer(after: .microseconds(delay)) { [report] in report.yield(.tick) }
    }
    return true
  }

  /// Prints the lines of a plain terminal; returns false if it is closed.
  private mutating func printLines() -> Bool {
    if screen.list.selected != nil, let part = screen.queuePart() { readPart.yield(part) }
    if let timer, !plain.isWaiting {
      loop.cancelTimer(timer)
      self.timer = nil
    } else if timer == nil, plain.isWaiting {
      timer = loop.timer(after: PlainScreen.patience) { [report] in report.yield(.tick) }
    }
    return StandardOutput.write(lines: plain.lines(of: &screen))
  }

  /// Reports Ctrl-Z until the result is cancelled.
  private func suspensions() -> any DispatchSourceSignal {
    _ = signal(SIGTSTP, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: DispatchQueue(label: "org.playerd.terminal"))
    source.setEventHandler { [report] in report.yield(.suspend) }
    source.activate()
    return source
  }

  /// Stops this process as the terminal requested; returns when the shell continues it.
  private mutating func suspend() {
    let wasActive = terminal.isActive
    terminal.end()
    var (stop, old) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    _ = signal(SIGTSTP, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &old)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    _ = signal(SIGTSTP, SIG_IGN)
    if wasActive { terminal.begin() }
  }
}
