import Playback
import PlayerdInterfaces

@testable import PlayerdService
@testable import PlayerdSystem

/// The record of the open requests.
struct RequestRecord {
  struct Request {
    var number: Int
    var placement: OpenRequest.Placement
    /// The items of its source, in order.
    var items: [String]
    var life: Int
    var report: OpenReport?
    /// The number of edits when it was accepted.
    var edits: Int
    /// The number of its items in the queue when another request replaced it.
    var cancelledAt: Int?

    /// Whether items may still follow; a request that takes long is answered before its end.
    var isOpen: Bool { report?.isUnfinished ?? true }
  }

  /// The requests of this life.
  var all: [Request] = []
  var lastNumber = 0
  var life = 0
  /// The number of edits that remove or move items.
  var edits = 0
  var revision: UInt64?
  /// The number of the request of each item.
  var owners: [String: (request: Int, index: Int)] = [:]

  var areAnswered: Bool { all.allSatisfy { $0.report != nil } }

  mutating func start() {
    life += 1
    all = []
    owners = [:]
    revision = nil
  }
}

extension StorageChecks {
  func nextRequest() -> Int {
    requests.lastNumber += 1
    return requests.lastNumber
  }

  func accepted(_ life: DaemonLife, _ number: Int, _ request: OpenRequest, _ items: [String]) {
    if request.placement == .replace {
      for index in requests.all.indices where requests.all[index].isOpen {
        requests.all[index].cancelledAt = requests.all[index].cancelledAt ?? inserted(requests.all[index], life)
      }
    }
    for (index, item) in items.enumerated() { requests.owners[item] = (requests.all.count, index) }
    requests.all.append(
      .init(
        number: number, placement: request.placement, items: items, life: requests.life, edits: requests.edits))
  }

  private func inserted(_ request: RequestRecord.Request, _ life: DaemonLife) -> Int {
    let items = Set(request.items)
    return life.player.items.count { items.contains($0.uri) }
  }

  func replied(_ life: DaemonLife, _ number: Int, _ report: OpenReport) {
    guard !life.disk.isDown, let index = requests.all.firstIndex(where: { $0.number == number }) else { return }
    require(.openAnsweredOnce, requests.all[index].report == nil, "request \(number) is answered twice")
    requests.all[index].report = report
    let request = requests.all[index]
    life.world.note("    request \(number) is answered: \(report.trackCount) tracks")
    guard !report.isSuperseded, isUndisturbed(request) else { return }
    let (expected, inserted) = (expected(of: request, life), inserted(request, life))
    let counted = Int(report.trackCount)
    require(
      .openInsertsAll,
      report.isUnfinished ? counted <= inserted && inserted <= expected : counted == expected && inserted == expected,
      "\(counted) of \(expected) items, \(inserted) in the queue")
  }

  private func isUndisturbed(_ request: RequestRecord.Request) -> Bool {
    request.cancelledAt == nil && request.edits == requests.edits
  }

  /// Returns the number of items that a request inserts.
  private func expected(of request: RequestRecord.Request, _ life: DaemonLife) -> Int {
    // A replacing request begins with its first playable item.
    let unplayable = request.placement == .replace ? request.items.prefix { isRejected($0, life) }.count : 0
    return request.items.count - unplayable
  }

  /// Whether an item is left out at the start of a new queue; a server answers for media that cannot be played too.
  private func isRejected(_ uri: String, _ life: DaemonLife) -> Bool {
    guard let media = life.media(of: uri) else { return true }
    return media.fault == .unopenable && uri.hasPrefix("file:")
  }

  func checkQueue(_ life: DaemonLife, _ snapshot: Player.Snapshot) {
    guard snapshot.queueRevision != requests.revision else { return }
    requests.revision = snapshot.queueRevision
    var counts = Array(repeating: 0, count: requests.all.count)
    var last = Array(repeating: -1, count: requests.all.count)
    var lastAppended = -1
    for item in life.player.items {
      guard let owner = requests.owners[item.uri] else { continue }
      counts[owner.request] += 1
      let request = requests.all[owner.request]
      guard request.edits == requests.edits else { continue }
      require(.openKeepsOrder, owner.index > last[owner.request], "\(item.uri) follows item \(last[owner.request] + 1)")
      last[owner.request] = owner.index
      guard request.placement == .append else { continue }
      require(.opensInOrder, owner.request >= lastAppended, "\(item.uri) follows a later request")
      lastAppended = max(lastAppended, owner.request)
    }
    for (index, request) in requests.all.enumerated() {
      require(
        .openWithoutDuplicates, counts[index] <= request.items.count, "request \(request.number) is in the queue twice")
      if let limit = request.cancelledAt {
        require(.cancelledOpenEnds, counts[index] <= limit, "request \(request.number) is cancelled, and inserts items")
      }
    }
    let pending = life.opens.read { $0.operations.count }
    require(
      .openMemoryBounded, pending <= requests.all.count { $0.isOpen }, "\(pending) requests are pending")
  }

  /// Checks that nothing is pending when every server and disk has answered.
  func checkAnswers(_ life: DaemonLife) {
    for request in requests.all {
      require(.openAnsweredOnce, request.report != nil, "request \(request.number) is not answered")
      guard request.report?.isUnfinished ?? false, isUndisturbed(request) else { continue }
      let (expected, inserted) = (expected(of: request, life), inserted(request, life))
      require(.openInsertsAll, inserted == expected, "\(inserted) of \(expected) items after an early answer")
    }
    let pending = life.opens.read { $0.operations.count }
    require(.openMemoryBounded, pending == 0, "\(pending) requests stay pending")
  }
}
