/// All checks of `doctor`, in the order of its output.
enum Doctor {
  /// Runs the checks; calls `report` with the findings of each.
  ///
  /// Those of media and output need a framework.
  static func check(
    configurationFile: String? = nil, _ media: (any MediaFramework)?, _ report: ([Finding]) -> Void
  ) async {
    var all: [Finding] = []
    func add(_ findings: [Finding]) {
      all += findings
      report(findings)
    }
    let (configuration, findings) = ConfigurationCheck.findings(file: configurationFile)
    add(findings)
    let (busFindings, status) = await BusCheck.findings()
    add(busFindings)
    add(DesktopCheck.findings())
    if let media {
      add(await MediaCheck.findings(media))
      add(await OutputCheck.findings(configuration, media, running: status))
    } else if let fault = ProcessFramework.fault {
      add([.error(fault, ProcessFramework.remedy)])
    }
    let silence = SilenceCheck(
      status: status, configuration: configuration, server: SoundServer.current())
    add(silence.findings)
    add(FilesCheck.findings(configuration))
    report([.verdict(all, status)])
  }
}
