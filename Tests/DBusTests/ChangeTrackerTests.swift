import Synchronization
import Testing

@testable import DBus

@Suite("Comparing states before a publish") struct ChangeTrackerTests {
  private struct State: Equatable {
    var level = 0
    var isOn = false
  }

  private final class Reads: Sendable {
    let count = Atomic(0)
  }

  @Test("The properties of an interface whose state is unchanged are not read", arguments: [false, true])
  func unchanged(comparesStates: Bool) {
    let reads = Reads()
    let isUnchanged: @Sendable (State, State) -> Bool = { $0.level == $1.level }
    let interface = DBusInterface<State>(
      "org.example.Lamp",
      properties: [
        DBusProperty("Level", "x") {
          reads.count.add(1, ordering: .relaxed)
          return .int64(Int64($0.level))
        }
      ], isUnchanged: comparesStates ? isUnchanged : nil)
    let tracker = ChangeTracker([interface], State())
    #expect(reads.count.load(ordering: .relaxed) == 1)
    #expect(tracker.takeChanges(State(isOn: true)).isEmpty)
    #expect(reads.count.load(ordering: .relaxed) == (comparesStates ? 1 : 2))
    let changes = tracker.takeChanges(State(level: 1, isOn: true))
    #expect(changes == [[.string("org.example.Lamp"), .dictionary([("Level", .int64(1))]), .strings([])]])
    #expect(tracker.takeChanges(State(level: 1)).isEmpty)
  }

  @Test("An interface that reads a part of the state compares only that part")
  func part() {
    let reads = Reads()
    let interface = DBusInterface<Int>(
      "org.example.Lamp",
      properties: [
        DBusProperty("Level", "x") {
          reads.count.add(1, ordering: .relaxed)
          return .int64(Int64($0))
        }
      ], isUnchanged: { $0 == $1 })
    let tracker = ChangeTracker([interface.reading { (state: State) in state.level }], State())
    #expect(tracker.takeChanges(State(isOn: true)).isEmpty)
    #expect(reads.count.load(ordering: .relaxed) == 1)
    #expect(tracker.takeChanges(State(level: 2)).count == 1)
  }

  @Test(
    "A value that a client has read before it was published is published also if it changes back",
    arguments: [nil, "Level", "On"])
  func readInBetween(property: String?) throws {
    let state = Mutex(State())
    let interface = DBusInterface<State>(
      "org.example.Lamp",
      properties: [
        DBusProperty("Level", "x") { .int64(Int64($0.level)) },
        DBusProperty("On", "b", differs: { $0.isOn != $1.isOn }) { .boolean($0.isOn) },
      ], isUnchanged: { $0 == $1 })
    let object = try ServedObject([interface]) { state.withLock { $0 } }
    state.withLock { $0 = State(level: 1, isOn: true) }
    try unsafe "org.example.Lamp".withCString { interface in
      guard let property else { return _ = try unsafe object.getAll(of: interface) }
      try unsafe property.withCString { property in
        _ = try unsafe object.get(property, of: interface)
      }
    }
    let published = object.takeChanges(to: State()).flatMap { $0[1].asDictionary?.keys.sorted() ?? [] }
    #expect(published == (property.map { [$0] } ?? ["Level", "On"]))
    #expect(object.takeChanges(to: State()).isEmpty)
  }
}
