import Playback

@testable import PlayerdService
@testable import PlayerdStorage

/// The record of a daemon with a disk over all its lives, and the checks; each topic is an extension in a file of its own.
final class StorageChecks {
  private(set) var breach: Breach?
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  var session = SessionRecord()
  var requests = RequestRecord()
  var sleep = SleepRecord()
  var positions = PositionsRecord()
  var books = BookRecord()
  var configuration = ConfigurationRecord()
  /// The number of commands so far.
  var commands = 0
  /// The number of steps of the earlier lives.
  private var steps = 0
  private weak var life: DaemonLife?

  func mix(_ value: Int64) { digest = (digest ^ UInt64(bitPattern: value)) &* 0x100_0000_01B3 }

  func require(_ invariant: Invariant, _ holds: Bool, _ detail: @autoclosure () -> String) {
    guard !holds, breach == nil, let life else { return }
    let text = detail()
    life.world.note("BROKEN \(invariant.rawValue): \(text)")
    breach = Breach(
      invariant: invariant, detail: text, milliseconds: Int((life.world.now - VirtualClock.start) / 1_000_000),
      steps: steps + life.stepsDone)
    life.world.checker.broke(invariant, text)
  }

  // MARK: One life

  func started(_ life: DaemonLife, _ last: SavedSession?) {
    self.life = life
    steps = life.firstStep
    life.world.note("start")
    startSession(life, last)
    startPositions(life)
    startBooks(life)
    requests.start()
    sleep = SleepRecord()
  }

  func commanded(_ action: Action) {
    commands += 1
    switch action {
    case .remove, .removeCurrent, .removeAll, .move: requests.edits += 1
    default: break
    }
  }

  func afterEvent(_ life: DaemonLife) {
    let snapshot = life.world.player.internals.snapshot
    mix(life.world.now)
    mix(snapshot.position.wholeNanoseconds)
    mix(Int64(snapshot.itemCount))
    let lines = life.log.take()
    for line in lines { life.world.note("    log \(line)") }
    checkSession(life, snapshot)
    checkReports(life, lines)
    checkQueue(life, snapshot)
    checkSleep(life, snapshot)
    checkPositions(life, snapshot)
    checkBooks(life, snapshot)
  }

  /// Called when the daemon has stopped in order.
  func stopped(_ life: DaemonLife) {
    afterEvent(life)
    session.isInOrder = true
  }

  /// Called at the end of the script, before the daemon stops; a crash of the script may still be due.
  func finished(_ life: DaemonLife) {
    life.world.run(until: life.world.now + 300_000_000_000) { [self] in
      requests.areAnswered && life.opens.read { $0.operations.isEmpty } || breach != nil || life.disk.isDown
    }
    if !life.disk.isDown { checkAnswers(life) }
  }

  /// Called when the process has ended.
  func ended(_ life: DaemonLife) {
    life.world.note(life.disk.isDown ? "the machine goes down" : "the process ends")
    endSession(life)
    endPositions(life)
  }

  func damage(_ disk: SimulatedDisk, _ file: Int, _ manner: Int) {
    let names = ["session.json", "session-place.json", "positions.json"]
    let path = "\(DaemonLife.folder)/\(names[abs(file) % 3])"
    guard ![session.isDamaged, session.isPlaceDamaged, positions.isDamaged][abs(file) % 3] else { return }
    guard disk.content(path) != nil else { return }
    disk.damage(path) { bytes in
      switch abs(manner) % 4 {
      case 0: bytes = Array(bytes.prefix(bytes.count / 2))
      case 1: bytes = bytes.map { $0 ^ 0x55 }
      case 2:
        bytes = Array(String(decoding: bytes, as: UTF8.self).replacing("\"version\":1", with: "\"version\":9").utf8)
      default: bytes = []
      }
    }
    switch abs(file) % 3 {
    case 0: session.isDamaged = true
    case 1: session.isPlaceDamaged = true
    default: positions.isDamaged = true
    }
  }
}
