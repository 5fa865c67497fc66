import AVFoundation

/// An example that plays files until it has shown everything.
@MainActor
protocol Example {
  func run() async throws
}

/// The examples, which play files: `avfoundation-examples progress song.flac`.
@main
struct Main {
  @MainActor
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let urls = arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    guard let name = arguments.first, let url = urls.first else {
      print("usage: avfoundation-examples progress|state|transport|changes FILE…")
      return
    }
    let example: any Example =
      switch name {
      case "progress": Progress(url: url)
      case "state": PlaybackState(url: url)
      case "transport": Transport(url: url)
      default: StateChanges(urls: urls)
      }
    try await example.run()
  }
}
