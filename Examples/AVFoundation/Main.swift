import AVFoundation

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
    switch name {
    case "progress": try await Progress(url: url).run()
    case "state": await PlaybackState(url: url).run()
    case "transport": await Transport().run(url: url)
    default: await StateChanges(urls: urls).run()
    }
  }
}
