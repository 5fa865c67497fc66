import ArgumentParser
import GstPlayer
import Logging
import PlayerdInterfaces

/// `mpris-playerd config`: the configuration and its origin.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the configuration in force, with the origin of each value.",
    discussion: """
      A running instance prints the values that it uses now. Without one, the values of the next start are printed. The \
      output is a configuration file that can be used as it is.
      """)

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup var target: InstanceOption

  func run() async throws {
    let log = Logger(label: Names.executable)
    let running =
      files.config == nil ? try await target.withInstanceIfRunning { try await $0.control.configuration() } : nil
    if let running { _ = StandardOutput.write(running) }
    // What is wrong with the file concerns the next start, whether an instance is running or not.
    var sources = try files.load()
    for warning in sources.warnings { log.warning("\(warning)") }
    await Self.checkDevice(sources.configuration.audioDevice, log)
    guard running == nil else { return }
    if let folder = SessionStore.userFolder, let session = SessionStore(folder: folder, log: log).peek() {
      sources.add(session, restoringQueue: true)
    }
    _ = StandardOutput.write(sources.text)
  }

  private static func checkDevice(_ device: String, _ log: Logger) async {
    guard !device.isEmpty, await !AudioOutput.all().contains(where: { $0.id == device }) else { return }
    log.warning("audio-device: there is no output device “\(device)”; “\(Names.executable) devices” lists them")
  }
}
