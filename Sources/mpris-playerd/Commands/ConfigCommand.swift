import ArgumentParser

/// `mpris-playerd config`: what is set, and by what.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the configuration in force, with where each value comes from.",
    discussion: "What is printed is a configuration file that can be used as it is.")

  @OptionGroup var files: ConfigurationOptions

  func run() async throws {
    _ = StandardOutput.write(try files.load().text)
  }
}
