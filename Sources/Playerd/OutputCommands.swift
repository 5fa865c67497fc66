import ArgumentParser
import DBus
import Logging
import Playback
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdSystem

/// `mpris-playerd devices`: the output devices.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the output devices.",
    discussion: """
      Each line has an ID, for the configuration key audio-device, and a name; an asterisk marks the default device, and \
      “in use” the one that the running instance has selected. The exit status is 69 if no device is found.
      """)

  @Flag(help: "Print a JSON object for each device, one per line.")
  var json = false

  @OptionGroup var target: InstanceOption

  func run() async throws {
    // The devices are listed also beside an instance that does not reply.
    let status =
      target.instance == nil
      ? try? await target.withInstanceIfRunning { try await $0.status() }
      : try await target.withInstance { try await $0.status() }
    let outputs = try await ProcessFramework((try? ConfigurationSources.load(file: nil))?.configuration).audioOutputs()
    guard !outputs.isEmpty else {
      Logger(label: Names.executable).error("no output device found; start PipeWire or PulseAudio")
      throw ExitStatus.unavailable
    }
    let devices = outputs.map { output in
      let isUsed = status?.uses(deviceWithID: output.id, isDefault: output.isDefault) == true
      return ListedDevice(id: output.id, name: output.name, isDefault: output.isDefault, isUsed: isUsed)
    }
    _ = StandardOutput.write(devices.map { (json ? $0.json : $0.line) + "\n" }.joined())
  }
}

/// A line of `devices`.
struct ListedDevice {
  var id = ""
  var name = ""
  var isDefault = false
  /// Whether the running instance has selected it.
  var isUsed = false

  var line: String {
    "\(isDefault ? "*" : " ") \(id.withoutControls)\t\(name.withoutControls)" + (isUsed ? "\tin use" : "")
  }

  var json: String {
    jsonLine(["id": .string(id), "name": .string(name), "default": .boolean(isDefault), "inUse": .boolean(isUsed)])
  }
}

struct OutputCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "output", abstract: "Show or select the output device.",
    discussion: """
      “mpris-playerd devices” lists the IDs and the names; “output default” returns to the configured output. The command \
      prints the selected output, which it also accepts.
      """)

  @Argument(
    help: ArgumentHelp("The ID or the name of the device, or default.", valueName: "device"),
    completion: NameCompletion.devices)
  var device: String?

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if device == "" {
      throw ValidationError("an empty argument is not a device; “output default” returns to the configured output")
    }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    if let device { try await select(device, of: instance) }
    let status = try await instance.status()
    // Standard output has the name alone, for scripts that select it again.
    if status.outputStatus != .selected { instance.log.warning("output: \(status.outputLine)") }
    return status.selectedOutput(among: try await instance.extras.get(ExtrasInterface.audioOutputs))
  }

  /// Selects the device with this ID, else the only one with this name.
  ///
  /// - Throws: Exit status 1 for a device that does not exist, and for several with this name; the reason and the list of
  ///   devices have been logged.
  private func select(_ device: String, of instance: RunningInstance) async throws {
    let isConfigured = try await instance.status().isConfiguredOutput(device)
    do throws(DBusError) {
      try await instance.extras.call(ExtrasInterface.setAudioOutput, isConfigured ? "" : device)
    } catch {
      guard case .invalidArguments("") = error else { throw error }
      // The search for the ID has updated the list.
      let outputs = try await instance.extras.get(ExtrasInterface.audioOutputs)
      let named = outputs.filter { [$0.name.withoutControls, $0.id.withoutControls].contains(device) }
      if let output = named.first, named.count == 1 {
        return try await instance.extras.call(ExtrasInterface.setAudioOutput, output.id)
      }
      if named.isEmpty {
        instance.log.error("\(error.message); \(outputs.isEmpty ? "no device was found" : "the devices are:")")
      } else {
        instance.log.error("\(counted(named.count, "device")) have the name “\(device)”; give the ID:")
      }
      for output in named.isEmpty ? outputs : named {
        _ = StandardError.write("  \(output.id)  \(output.name)".withoutControls + "\n")
      }
      throw ExitStatus.failure
    }
  }
}

extension PlayerStatus {
  /// Whether a device is the selected output, or the default device if that is selected.
  func uses(deviceWithID id: String, isDefault: Bool) -> Bool {
    guard outputStatus == .selected else { return false }
    return output.isEmpty ? configuredOutput == nil && isDefault : output == id
  }

  /// Whether a text is a name of the configured output, as ``selectedOutput(among:)`` returns it.
  func isConfiguredOutput(_ text: String) -> Bool {
    ["default", Self.standardOutput, configuredOutput?.withoutControls].contains(text)
  }

  /// Returns the selected output as a text that selects it again: the name of the device, or its ID if others have this name.
  func selectedOutput(among outputs: [ExtrasSnapshot.AudioOutput]) -> String {
    guard !output.isEmpty else { return configuredOutput ?? Self.standardOutput }
    guard let outputName, !isConfiguredOutput(outputName),
      !outputs.contains(where: { $0.id != output && [$0.id, $0.name].contains(outputName) })
    else { return output }
    return outputName
  }
}
