import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A file system that stops answering on command: a process that reads its files, or closes them, can then not even be killed.
struct HangingDisk: Sendable {
  /// The folder whose content the disk shows.
  let folder: String
  /// The place where the disk is mounted.
  let place: String
  private let commands: String
  private let server: ChildProcess

  private static let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/Fixtures/hanging_disk.py"

  /// Runs `body` with a daemon and a disk; cancels the test if the system has no FUSE.
  ///
  /// - Parameters:
  ///   - files: The files of the disk, as paths of files that are copied, and their names.
  ///   - arguments: Returns the arguments of the daemon.
  ///   - environment: Returns variables of the environment of the daemon.
  ///   - body: The test.
  /// - Throws: The error of the test.
  static func run(
    _ files: [String: String], arguments: (HangingDisk) throws -> [String],
    environment: (HangingDisk) -> [String: String] = { _ in [:] },
    _ body: (HangingDisk, DaemonUnderTest) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let (folder, place) = (try directory.makeDirectory("folder"), try directory.makeDirectory("disk"))
      for (name, file) in files { try FileManager.default.copyItem(atPath: file, toPath: "\(folder)/\(name)") }
      let commands = directory.file("commands")
      try await withChildProcess(["python3", script, folder, place, commands]) { server in
        let line = try await server.lines.first("the disk is mounted", within: 20) { _ in true }
        guard line.element.text == "mounted" else { try Test.cancel("FUSE is \(line.element.text)") }
        let disk = HangingDisk(folder: folder, place: place, commands: commands, server: server)
        let result: Result<Void, any Error>
        do {
          try await withDaemon(try arguments(disk), environment: environment(disk)) { daemon in
            // A process that waits for the disk cannot end.
            do { try await body(disk, daemon) } catch {
              try await disk.answer()
              throw error
            }
            try await disk.answer()
          }
          result = .success(())
        } catch {
          result = .failure(error)
        }
        unsafe umount2(place, CInt(MNT_DETACH))
        try result.get()
      }
    }
  }

  /// The path of a file on the disk.
  func file(_ name: String) -> String { "\(place)/\(name)" }

  /// Answers no request from now on, or none of these operations, or for paths with these words.
  func hang(_ words: String...) async throws { try await command((["hang"] + words).joined(separator: " ")) }

  /// Answers all requests again.
  func answer() async throws { try await command("answer") }

  /// Returns when a request of an operation waits, such as `READ /track.flac`, or any.
  func waits(_ request: String = "") async throws {
    try await server.waitForLine(containing: "waits \(request)", on: .output)
  }

  private func command(_ text: String) async throws {
    let mark = server.lines.count
    try Data((text + "\n").utf8).write(to: URL(filePath: commands))
    try await server.lines.first("the disk obeys", from: mark) { $0.text.hasPrefix("done") }
  }
}
