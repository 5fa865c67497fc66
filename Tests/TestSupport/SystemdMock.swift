public import DBus

/// A mock of the user's systemd on a private bus, with one unit, which it does not start.
public struct SystemdMock: Sendable {
  private static let path: ObjectPath = "/org/freedesktop/systemd1"
  private static let job: ObjectPath = "/org/freedesktop/systemd1/job/1"
  private static let unit: ObjectPath = "/org/freedesktop/systemd1/unit/player"
  private static let manager: InterfaceName = "org.freedesktop.systemd1.Manager"

  /// The units that were to be started.
  public let starts: EventLog<String>
  private let connection: DBusConnection

  /// Takes the name of systemd on a bus; `result` and `exitStatus` are those of the unit.
  public init(on bus: PrivateBus, _ loop: PollLoop, result: String, exitStatus: Int32 = 0) async throws {
    connection = try await DBusConnection.open(address: bus.address, on: loop)
    starts = EventLog<String>()
    let start = DBusMethod("StartUnit", in: ["name": "s", "mode": "s"], out: ["job": "o"]) { [starts] call in
      starts.append(call.arguments.first?.asString ?? "")
      return [.objectPath(Self.job)]
    }
    let get = DBusMethod("GetUnit", in: ["name": "s"], out: ["unit": "o"]) { _ in [.objectPath(Self.unit)] }
    let removed = DBusSignal("JobRemoved", ["id": "u", "job": "o", "unit": "s", "result": "s"])
    let manager = DBusInterface<Void>(Self.manager, methods: [start, get], signals: [removed])
    try await connection.export(at: Self.path, [manager]) {}
    let properties: [DBusProperty<Void>] = [
      DBusProperty("Result", "s") { .string(result) }, DBusProperty("ExecMainStatus", "i") { .int32(exitStatus) },
    ]
    let service = DBusInterface<Void>("org.freedesktop.systemd1.Service", properties: properties)
    try await connection.export(at: Self.unit, [service]) {}
    guard try await connection.requestName("org.freedesktop.systemd1") else { throw DBusError.failed("no name") }
  }

  /// Ends the start of a unit with a result, after another job.
  public func end(_ unit: String, _ result: String) async throws {
    for (job, result) in [("/org/freedesktop/systemd1/job/2", "done"), (Self.job, result)] as [(ObjectPath, String)] {
      try await connection.emit(
        "JobRemoved", of: Self.manager, at: Self.path, [.uint32(1), .objectPath(job), .string(unit), .string(result)])
    }
  }
}
