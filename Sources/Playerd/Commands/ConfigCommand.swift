import ArgumentParser
import DBus
import Logging
import Playback
import PlayerdInterfaces

/// `mpris-playerd config`: the configuration and its origin.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the configuration, with the origin of each value.",
    discussion: """
      If an instance is running, the command prints the values that it uses; otherwise those of the next start. The output \
      is a valid configuration file.
      """)

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup var target: InstanceOption

  func run() async throws {
    let log = Logger(label: Names.executable)
    let configured = (try? ConfigurationOptions.load(file: files.config))?.configuration.audioDevice ?? ""
    let media = configured.isEmpty ? nil : try DaemonProgram.requireMedia()
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
