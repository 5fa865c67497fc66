import ArgumentParser

/// `mpris-playerd doctor`: checks of the installation and the running daemon.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the installation, the media support, the output, the files and the running daemon.",
    discussion: """
      Each line begins with ok, warning or error, and ends with a remedy if one is needed. The last line is the verdict: \
      the causes of silence, or the number of faults. The exit status is 1 if there is an error. The command changes nothing and starts no daemon. \
      With --verify, it only plays a file to its end with the output, the volume, the speed and ReplayGain of the \
      configuration, and checks that its samples reach the output unchanged. The samples of a FLAC file are compared with \
      the MD5 in the file, and those of other files with the samples of the decoder. Each obstacle is an error.
      """)

  @Option(
    help: ArgumentHelp("Play a file, and check that its samples reach the output unchanged.", valueName: "file"),
    completion: .file())
  var verify: String?

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup(visibility: .private) var target: InstanceOption

  func validate() throws {
    try target.rejectInstance()
    if verify == "" { throw ValidationError("--verify needs a file") }
  }

  func run() async throws {
    let media = try DaemonProgram.requireMedia()
    var isWell = true
    let report = { (findings: [Finding]) in
      for finding in findings {
        if finding.level == .error { isWell = false }
        _ = StandardOutput.write(finding.line + "\n")
      }
    }
    if let verify {
      report(await SampleCheck.findings(verify, try files.load().configuration, media))
    } else {
      await Doctor.check(configurationFile: files.config, media, report)
    }
    if !isWell { throw ExitCode(1) }
  }
}
