import ArgumentParser
import Playback
import PlayerdConfiguration
import PlayerdMedia
import PlayerdStorage

/// Completes the names of devices and playlists in the shell.
enum NameCompletion {
  /// The IDs of the output devices, and `default`.
  static let devices = CompletionKind.custom { _, _, _ in
    ((try? await ProcessFramework(nil).audioOutputs().map(\.id)) ?? []) + ["default"]
  }

  /// The names of the saved playlists.
  static let playlists = CompletionKind.custom { _, _, _ in
    let configuration = (try? ConfigurationSources.load(file: nil))?.configuration ?? Configuration()
    return configuration.playlistFolder.map { PlaylistFile.list(in: $0).map(\.title) } ?? []
  }
}
