import ArgumentParser
import DBus
import Glibc
import Logging
import Playback
import PlayerdClient
import PlayerdConfiguration
import PlayerdDoctor
import PlayerdInterfaces
import PlayerdMedia
import PlayerdService
import PlayerdStorage
import PlayerdSystem
import TextCoding

/// `mpris-playerd config`: the configuration and its origin.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the configuration, with the origin of each value.",
    discussion: """
      If an instance is running, the command prints the values that it uses; otherwise those of the next start. Those that \
      differ from the defaults are first. The output is a valid configuration file.
      """)

  /// Other players set a key with such words.
  @Argument(help: .hidden)
  var words: [String] = []

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup var target: InstanceOption

  func validate() throws {
    if !words.isEmpty { throw ValidationError("“config” prints all keys; change them in the configuration file") }
  }

  func run() async throws {
    let log = Logger(label: Names.executable)
    let configuration = (try? ConfigurationSources.load(file: files.config))?.configuration
    let media = configuration?.audioDevice.isEmpty == false ? try ProcessFramework(configuration) : nil
    let running =
      files.config == nil
      ? try await target.withInstanceIfRunning { try await $0.control.call(ControlInterface.getConfiguration) } : nil
    if let running { _ = StandardOutput.write(running) }
    // Errors in the file concern the next start, so they are also reported if an instance is running.
    var sources = try files.load()
    for warning in sources.warnings { log.warning("\(warning)") }
    if let media { await Self.checkDevice(sources.configuration.audioDevice, media, log) }
    guard running == nil else { return }
    if let folder = SessionStore.userFolder, let session = SessionStore(folder: folder, log: log).peek() {
      sources.add(session, restoringQueue: true)
    }
    _ = StandardOutput.write(sources.text)
  }

  private static func checkDevice(_ device: String, _ media: any MediaFramework, _ log: Logger) async {
    guard !device.isEmpty, await !media.audioOutputs().contains(where: { $0.id == device }) else { return }
    log.warning("audio-device: the device “\(device)” does not exist; “\(Names.executable) devices” lists the devices")
  }
}

/// `mpris-playerd doctor`: checks of the installation and the running daemon.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the installation, the media support, the output, the files and the running daemon.",
    discussion: """
      Each line is a fault, which begins with error or warning and ends with the remedy. The last line is the verdict: \
      the causes of silence, or the number of faults. With --verbose, the lines between them begin with ok, and name what \
      was checked without a fault. The exit status is 1 if there is an error. The command changes nothing and starts no daemon. \
      With --verify, it only plays a file to its end with the output, the volume, the speed and ReplayGain of the \
      configuration, and checks that its samples reach the output unchanged. The samples of a FLAC file are compared with \
      the MD5 in the file, and those of other files with the samples of the decoder. Each obstacle is an error.
      """)

  @Option(
    help: ArgumentHelp("Play a file, and check that its samples reach the output unchanged.", valueName: "file"),
    completion: .file())
  var verify: String?

  @Flag(help: "Print also what was checked without a fault.")
  var verbose = false

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup(visibility: .private) var target: InstanceOption

  func validate() throws {
    try target.rejectInstance()
    if verify == "" { throw ValidationError("--verify needs a file") }
  }

  func run() async throws {
    var findings: [Finding]
    if let verify {
      let configuration = try files.load().configuration
      if StandardOutput.isTerminal { _ = StandardError.write("playing \(verify) to its end…\n") }
      findings = await SampleCheck.findings(verify, configuration, try ProcessFramework(configuration))
    } else {
      let media = ProcessFramework.ifAvailable((try? files.load())?.configuration)
      findings = await Doctor.findings(configurationFile: files.config, media)
      if !verbose { findings.removeAll { $0.level == .ok } }
    }
    StandardOutput.write(findings.map(\.styledLine))
    if findings.contains(where: { $0.level == .error }) { throw ExitStatus(1) }
  }
}

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write a bug report: a file with the commands and events of the last ten minutes.",
    discussion: """
      The file also contains the version, the configuration and the output of “mpris-playerd doctor”, but no sound. Its lines are JSON. Developers can replay it. It contains no names of files, servers or \
      devices, no tags and no texts of the configuration, unless --with-names is given; HTTP headers, passwords and the \
      arguments of commands are never included.
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
    let (version, configuration, recording, names) = try await target.withInstance { instance in
      try await instance.control.call(ControlInterface.getRecording, withNames)
    }
    let media = ProcessFramework.ifAvailable((try? ConfigurationSources.load(file: nil))?.configuration)
    let findings = await Doctor.findings(media)
    let header = ReportHeader(
      version: version, configuration: configuration, doctor: findings.map { $0.reportLine(withNames: withNames) },
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
    let parent = Array(path.utf8).folder
    if !parent.isEmpty, LocalFileSystem().kind(of: parent) == nil {
      let name = String(decoding: Array(file.utf8).folder, as: UTF8.self)
      Logger(label: Names.executable).error("cannot write \(file): the folder \(name) does not exist")
      throw ExitStatus.cannotCreate
    }
    if case .failure(let failure) = LocalFileSystem().replace(path, with: Array(text.utf8), mayExist: force) {
      let reason = failure.number == EEXIST ? "the file exists; --force replaces it" : failure.message
      Logger(label: Names.executable).error("cannot write \(file): \(reason)")
      throw ExitStatus.cannotCreate
    }
  }
}
