import ArgumentParser

/// `mpris-playerd doctor`: what is well, and what is not.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the installation, the media support, the output, the files, and a daemon that runs.",
    discussion: """
      Each line is ok, warning or error, and what helps. The exit status is 1 when there is an error. \
      Nothing is changed, and no daemon is started.
      """)

  @OptionGroup var files: ConfigurationOptions

  func run() async throws {
    var isWell = true
    func tell(_ findings: [Finding]) {
      for finding in findings {
        if finding.level == .error { isWell = false }
        _ = StandardOutput.write(finding.line + "\n")
      }
    }
    let (configuration, findings) = ConfigurationCheck.findings(file: files.config)
    tell(findings)
    let (busFindings, status) = await BusCheck.findings()
    tell(busFindings)
    tell(DesktopCheck.findings())
    tell(MediaCheck.findings())
    tell(await OutputCheck.findings(configuration, running: status))
    tell(FilesCheck.findings(configuration))
    if !isWell { throw ExitCode(1) }
  }
}
