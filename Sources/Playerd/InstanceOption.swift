import ArgumentParser
import DBus
import EventLoop
import Logging
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdSystem

/// The option that addresses one of several running instances.
struct InstanceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The instance to address: its process ID, or its name as playerctl lists it.", valueName: "pid|name"),
    completion: .custom { _, _, _ in await RunningInstance.names() },
    transform: { try InstanceName(parsing: $0) })
  var instance: InstanceName?

  /// Throws a usage error if an instance is given, for a command that does not address one.
  func rejectInstance() throws {
    if instance != nil { throw ValidationError("the command does not address an instance; remove --instance") }
  }

  /// Calls `body` with the addressed instance, the main one by default.
  ///
  /// If no instance is running, the main instance is started with the last session under the condition `start`, after `check`.
  ///
  /// - Throws: `ExitStatus` 69 without a bus, without that instance, or if it does not respond; 64 for a request that it
  ///   rejects. The reason has been logged.
  func withInstance<Result>(
    start: InstanceStart.Condition = .never, check: (Configuration) throws -> Void = { _ in },
    _ body: (RunningInstance) async throws -> Result
  ) async throws -> Result {
    let log = Logger(label: Names.executable)
    let loop = PollLoop(name: "client")
    defer { loop.stop() }
    let connection = try await DBusConnection.openSessionBus(on: loop, log)
    do {
      let isNew = instance == nil ? try await InstanceStart.run(start, on: connection, log, check: check) : false
      var instance = try await RunningInstance.find(instance ?? .main, on: connection, log)
      instance.isNew = isNew
      do {
        return try await body(instance)
      } catch let error as DBusError where error.isOfOtherInterface {
        // After an upgrade, the instance may lack the request of this command.
        guard await instance.programState() == .same else {
          log.error("\(error.message); \(RunningInstance.restart)")
          throw ExitStatus(for: error)
        }
        throw error
      }
    } catch let error as DBusError {
      log.error("\(error.message)")
      throw ExitStatus(for: error)
    }
  }

  /// Calls `body` with the addressed instance; returns nil if no instance is running and the option is not given.
  func withInstanceIfRunning<Result>(_ body: (RunningInstance) async throws -> Result) async throws -> Result? {
    if instance == nil {
      let loop = PollLoop(name: "client")
      defer { loop.stop() }
      guard let connection = try? await DBusConnection.openSessionBus(on: loop),
        await connection.owner(of: try PlayerdName.own(.main)) != nil
      else { return nil }
    }
    return try await withInstance(body)
  }
}
