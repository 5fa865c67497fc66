import Playback

@testable import PlayerdStorage

/// The record of the positions in long files.
struct PositionsRecord {
  /// A position at an instant of this life.
  struct Sample {
    var instant: Int64
    var position: Double
  }

  /// The positions of a file while it is current, and the instant at which it was left.
  struct File {
    var samples: [Sample] = []
    var left: Int64?
    var duration = Double.infinity
  }

  /// The files of this life in the order of their first play.
  var files: [(uri: String, file: File)] = []
  var current: String?
  var isPlaying = false
  var isDamaged = false
  var mayBeDamaged = false
  var hasFailed = false
  var end: Int64 = 0
}

extension StorageChecks {
  private static var path: String { "\(DaemonLife.folder)/positions.json" }
  /// The time after which the file is written while a long file plays, and the time to read and write.
  private static let limit: Int64 = 66_000_000_000

  func startPositions(_ life: DaemonLife) {
    defer {
      let isDamaged = positions.isDamaged || positions.mayBeDamaged
      positions = PositionsRecord()
      positions.mayBeDamaged = isDamaged
    }
    guard !positions.isDamaged, !positions.hasFailed else { return }
    let kept = life.disk.content(Self.path).flatMap { try? ResumePositions($0) } ?? ResumePositions()
    for (uri, file) in positions.files {
      let saved = kept.position(of: uri).map { Double($0.wholeNanoseconds) / 1e9 }
      let isCurrent = file.left == nil
      // The session has the position of a paused file.
      if isCurrent, !positions.isPlaying { continue }
      let from = positions.end - (isCurrent ? Self.limit : 5_000_000_000) - session.latency
      // A file that was left recently may have its position of before.
      if let left = file.left, left > positions.end - 3_000_000_000 - session.latency { continue }
      guard let first = file.samples.first, first.instant < from || !isCurrent else { continue }
      let last = file.samples.last?.position ?? 0
      guard last > 30 else { continue }
      // The position of a file that has played to its end is removed.
      if !isCurrent, last > file.duration - 2 { continue }
      let before = file.samples.last { $0.instant < from }
      let window =
        isCurrent ? [before].compactMap { $0 } + file.samples.filter { $0.instant >= from } : file.samples.suffix(1)
      let fits = window.contains { abs($0.position - (saved ?? 0)) < 26 || $0.position < 40 }
      require(
        .longFilePositionKept, fits,
        "\(uri) was left at \(last) s, and \(saved.map { "\($0) s" } ?? "nothing") is saved")
    }
  }

  func checkPositions(_ life: DaemonLife, _ snapshot: Player.Snapshot) {
    let isLong = (snapshot.duration ?? .zero) >= ResumePositions.shortest
    let uri = snapshot.transport == .stopped || !isLong ? nil : snapshot.currentItem?.uri
    let now = life.world.now
    positions.isPlaying = snapshot.transport == .playing
    if uri != positions.current {
      if let index = positions.files.firstIndex(where: { $0.uri == positions.current }) {
        positions.files[index].file.left = now
      }
      positions.current = uri
    }
    guard let uri else { return }
    let sample = PositionsRecord.Sample(instant: now, position: Double(snapshot.position.wholeNanoseconds) / 1e9)
    let duration = Double(snapshot.duration?.wholeNanoseconds ?? .max) / 1e9
    guard let index = positions.files.firstIndex(where: { $0.uri == uri }) else {
      positions.files.append((uri, .init(samples: [sample], duration: duration)))
      return
    }
    positions.files[index].file.duration = duration
    positions.files[index].file.left = nil
    positions.files[index].file.samples.append(sample)
    if positions.files[index].file.samples.count > 400 {
      positions.files[index].file.samples.removeAll { $0.instant < now - 80_000_000_000 }
    }
  }

  func endPositions(_ life: DaemonLife) { positions.end = life.world.now }
}
