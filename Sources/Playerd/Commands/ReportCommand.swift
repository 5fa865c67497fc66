import ArgumentParser
import DBus
import Glibc
import Logging
import Playback
import PlayerdInterfaces

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write the last minutes of the player to a file for a bug report.",
    discussion: """
      The file contains the commands and events of the last ten minutes, the version, the configuration and the output of \
      “mpris-playerd doctor”. Its lines are JSON. Developers can replay it. It contains no names of files, servers or \
      devices and no tags, unless --with-names is given; HTTP headers and passwords are never included.
      """)

  @Argument(
    help: ArgumentHelp("The file to write; “-” for standard output.", valueName: "file"), completion: .file())
  var file = "\(Names.executable).report"

  @Flag(help: "Include the URIs of the items, the tags and the names of folders and devices.")
  var withNames = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var target: InstanceOption

  func run() async throws {
    let media = try DaemonProgram.requireMedia()
    let (version, configuration, recording, names) = try await target.withInstance { instance in
      try await instance.control.call(ControlInterface.getRecording, withNames)
    }
    var findings: [Finding] = []
    await Doctor.check(media) { findings += $0 }
    let header = ReportHeader(
      version: version, configuration: configuration, doctor: findings.map(publishable),
      names: names.compactMapValues(\.asString))
    guard let first = jsonLine(encoding: header) else { throw ExitStatus.internalError }
    let text = ([first] + recording).map { $0 + "\n" }.joined()
    guard file != "-" else {
      _ = StandardOutput.write(text)
      return
    }
    try write(text)
    let log = Logger(label: Names.executable)
    if recording.isEmpty { log.warning("the instance has no recorded inputs; the report cannot be replayed") }
    _ = StandardOutput.write(file + "\n")
  }

  private func write(_ text: String) throws {
    let folder = file.hasPrefix("/") ? "" : String(decoding: FileURI.workingDirectory, as: UTF8.self) + "/"
    let path = folder + file
    if case .failure(let failure) = LocalFileSystem().replace(path, with: Array(text.utf8), mayExist: force) {
      let reason = failure.number == EEXIST ? "the file exists; --force replaces it" : failure.message
      Logger(label: Names.executable).error("cannot write \(file): \(reason)")
      throw ExitStatus.cannotCreate
    }
  }

  /// Returns the line of a finding, without the names of folders unless they are requested.
  private func publishable(_ finding: Finding) -> String {
    let configured = (try? ConfigurationOptions.load(file: nil))?.configuration ?? Configuration()
    let playlists = configured.playlistFolder.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let folders = [
      (playlists, "PLAYLISTS"), (Environment["HOME"] ?? "", "~"), (Directories.state ?? "", "STATE"),
      (Directories.data ?? "", "DATA"),
    ]
    var line = finding.reportLine(withNames: withNames)
    for (folder, name) in folders where !withNames && folder.count > 1 {
      line = line.replacing(folder.withoutControls, with: name)
    }
    return line
  }
}
