import ArgumentParser

/// `mpris-playerd doctor`: checks of the installation and the running daemon.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the installation, the media support, the output, the files and the running daemon.",
    discussion: """
      Each line begins with ok, warning or error, and ends with a remedy if one is needed. The exit status is 1 if there \
      is an error. The command changes nothing and starts no daemon.
      """)

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup(visibility: .private) var target: InstanceOption

  func validate() throws { try target.rejectInstance() }

  func run() async throws {
    let media = try DaemonProgram.requireMedia()
    var isWell = true
    await Doctor.check(configurationFile: files.config, media) { findings in
      for finding in findings {
        if finding.level == .error { isWell = false }
        _ = StandardOutput.write(finding.line + "\n")
      }
    }
    if !isWell { throw ExitCode(1) }
  }
}
