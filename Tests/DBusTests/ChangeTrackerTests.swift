import Synchronization
import Testing

@testable import DBus

@Suite("The comparison before a publish") struct ChangeTrackerTests {
  private struct State: Equatable {
    var level = 0
    var isOn = false
  }

  private final class Reads: Sendable {
    let count = Atomic(0)
  }

  @Test("The rows of an interface whose state is unchanged are not read", arguments: [false, true])
  func unchanged(comparesStates: Bool) {
    let reads = Reads()
    let isUnchanged: @Sendable (State, State) -> Bool = { $0.level == $1.level }
    let interface = Interface<State>(
      "org.example.Lamp",
      properties: [
        Property("Level", "x") {
          reads.count.add(1, ordering: .relaxed)
          return .int64(Int64($0.level))
        }
      ], isUnchanged: comparesStates ? isUnchanged : nil)
    let tracker = ChangeTracker([interface], State())
    #expect(reads.count.load(ordering: .relaxed) == 1)
    #expect(tracker.takeChanges(State(isOn: true)).isEmpty)
    #expect(reads.count.load(ordering: .relaxed) == (comparesStates ? 1 : 2))
    let changes = tracker.takeChanges(State(level: 1, isOn: true))
    #expect(changes.first?.changed == [InterfaceChanges.Change(name: "Level", value: .int64(1))])
    #expect(tracker.takeChanges(State(level: 1)).isEmpty)
  }

  @Test("An interface that reads a part of the state is compared by that part")
  func part() {
    let reads = Reads()
    let interface = Interface<Int>(
      "org.example.Lamp",
      properties: [
        Property("Level", "x") {
          reads.count.add(1, ordering: .relaxed)
          return .int64(Int64($0))
        }
      ], isUnchanged: { $0 == $1 })
    let tracker = ChangeTracker([interface.reading { (state: State) in state.level }], State())
    #expect(tracker.takeChanges(State(isOn: true)).isEmpty)
    #expect(reads.count.load(ordering: .relaxed) == 1)
    #expect(tracker.takeChanges(State(level: 2)).count == 1)
  }
}
