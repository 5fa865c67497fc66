/// All checks of `doctor`, in the order of its output.
enum Doctor {
  /// Runs the checks; calls `report` with the findings of each.
  static func check(
    configurationFile: String? = nil, _ media: any MediaFramework, _ report: ([Finding]) -> Void
  ) async {
    let (configuration, findings) = ConfigurationCheck.findings(file: configurationFile)
    report(findings)
    let (busFindings, status) = await BusCheck.findings()
    report(busFindings)
    report(DesktopCheck.findings())
    report(MediaCheck.findings(media))
    report(await OutputCheck.findings(configuration, media, running: status))
    report(FilesCheck.findings(configuration))
  }
}
