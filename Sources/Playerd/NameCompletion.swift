import ArgumentParser
import DBus
import EventLoop
import Logging
import Playback
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdStorage
import PlayerdSystem

/// Completes the names of devices, playlists, chapters and tracks in the shell.
enum NameCompletion {
  /// The IDs of the output devices with their names, and `default`.
  static let devices = CompletionKind.custom { _, _, _ in
    let outputs = (try? await ProcessFramework(nil).audioOutputs()) ?? []
    return texts(outputs.map { ($0.id, $0.name) } + [("default", "the configured output")])
  }

  /// The names of the saved playlists.
  static let playlists = CompletionKind.custom { _, _, _ in
    let configuration = (try? ConfigurationSources.load(file: nil))?.configuration ?? Configuration()
    return texts(configuration.playlistFolder.map { PlaylistFile.list(in: $0).map { ($0.title, "") } } ?? [])
  }

  /// The words of `chapter`, and the numbers of the chapters with their titles.
  static let chapters = CompletionKind.custom { _, _, _ in
    let chapters = await fromPlayer { try await $0.monitor.get(MonitorInterface.chapters) }
    return texts(
      ChapterArgument.allValueStrings.map { ($0, "") } + chapters.enumerated().map { ("\($0 + 1)", $1.title) })
  }

  /// The titles, or else the file names, of the tracks of the queue, with their artists, and `last`; a long queue is not read.
  static let tracks = CompletionKind.custom { _, _, _ in
    let tracks = await fromPlayer { instance -> [QueuedTrack] in
      guard try await instance.status().queueCount <= 5_000 else { return [] }
      return try await QueuePage.readAll(from: instance.control).rows
    }
    return texts(tracks.map { ($0.title ?? TrackTitle.text(nil, nil, uri: $0.uri), $0.artist ?? "") } + [("last", "")])
  }

  /// Returns a list of the main instance; empty if none runs.
  private static func fromPlayer<Element>(_ list: (RunningInstance) async throws -> [Element]) async -> [Element] {
    let loop = PollLoop(name: "client")
    defer { loop.stop() }
    guard let connection = try? await DBusConnection.openSessionBus(on: loop), let name = try? PlayerdName.own(.main),
      let owner = await connection.owner(of: name)
    else { return [] }
    let log = Logger(label: Names.executable)
    let instance = RunningInstance(connection: connection, owner: owner, name: .main, log: log)
    return (try? await list(instance)) ?? []
  }

  /// Returns the lines of completions with their descriptions, in the syntax of the shell; bash has no descriptions.
  private static func texts(_ completions: [(text: String, description: String)]) -> [String] {
    // A text with a dash would be an option.
    completions.filter { !$0.text.isEmpty && !$0.text.hasPrefix("-") }.map { text, description in
      let (text, description) = (text.withoutControls, description.withoutControls)
      switch CompletionShell.requesting {
      case .fish?: return description.isEmpty ? text : "\(text)\t\(description)"
      // A colon separates the description.
      case .zsh?: return text.replacing(":", with: "\\:") + (description.isEmpty ? "" : ":\(description)")
      default: return text
      }
    }
  }
}
