package import PlayerdMedia

/// All checks of `doctor`.
package enum Doctor {
  /// Runs the checks, and returns their findings: the errors first, then the causes of silence, the other warnings, the passed
  /// checks, and the verdict.
  ///
  /// The checks of media and output need a framework.
  package static func findings(
    configurationFile: String? = nil, _ media: (any MediaFramework)?
  ) async -> [Finding] {
    let (configuration, found) = ConfigurationCheck.findings(file: configurationFile)
    let (busFindings, status) = await BusCheck.findings()
    var findings = found + busFindings + DesktopCheck.findings()
    if let media {
      findings += await MediaCheck.findings(media)
      findings += await OutputCheck.findings(configuration, media, running: status)
    } else if let fault = ProcessFramework.fault {
      findings.append(.error("\(fault)", "\(term: ProcessFramework.remedy)"))
    }
    let silence = SilenceCheck(
      status: status, configuration: configuration, server: SoundServer.current())
    findings += silence.findings + FilesCheck.findings(configuration)
    let levels: [Finding.Level] = [.error, .warning, .ok]
    let ordered = findings.filter(\.silences) + findings.filter { !$0.silences }
    return levels.flatMap { level in ordered.filter { $0.level == level } } + [.verdict(findings, status)]
  }
}
