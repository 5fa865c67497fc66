import Glibc

/// The files that the daemon keeps, and the playlists of the user.
enum FilesCheck {
  static func findings(_ configuration: Configuration) -> [Finding] {
    guard let state = Directories.state else {
      return [.error("there is no home for the session", "set HOME to an absolute path")]
    }
    let folder = "\(state)/\(Names.executable)"
    return [session(folder), positions(folder)] + [playlists(configuration)]
  }

  private static func session(_ folder: String) -> Finding {
    let path = "\(folder)/session.json"
    let fate = "it is set aside at the next start, and the queue begins empty"
    switch TextFile.bytes(of: path, limit: SessionStore.limit) {
    case .failure(let failure) where failure.isAbsence: return .ok("no session is kept yet")
    case .failure(let failure): return .error("\(path): \(failure.message)", "make it readable")
    case .success(let bytes):
      do throws(SessionFormat.Fault) {
        let session = try SessionFormat.decode(bytes, place: nil)
        guard unsafe access(folder, W_OK) == 0 else {
          return .error("\(folder) cannot be written", "give yourself the right to write there")
        }
        return .ok("the session has \(TrackCount(session.queue.count))")
      } catch {
        switch error {
        case .damaged(let reason): return .error("\(path): \(reason)", fate)
        case .newer(let version): return .error("\(path): it is of version \(version)", fate)
        }
      }
    }
  }

  private static func positions(_ folder: String) -> Finding {
    let path = "\(folder)/positions.json"
    switch TextFile.bytes(of: path, limit: 16 << 20) {
    case .failure(let failure) where failure.isAbsence: return .ok("no place in a long file is kept yet")
    case .failure(let failure): return .error("\(path): \(failure.message)", "make it readable")
    case .success(let bytes):
      guard let positions = ResumePositions(bytes) else {
        return .error("\(path): it is no list of positions", "it is set aside at the next start")
      }
      return .ok("places in \(positions.count) long files are kept")
    }
  }

  private static func playlists(_ configuration: Configuration) -> Finding {
    guard let folder = configuration.playlistFolder.map({ String(decoding: $0, as: UTF8.self) }) else {
      return .warning("there is no playlist folder", "set playlists-directory")
    }
    if unsafe access(folder, R_OK | X_OK) == 0 { return .ok("the playlist folder \(folder)") }
    return configuration.playlistsDirectory.isEmpty
      ? .ok("there is no playlist folder \(folder); none is needed")
      : .warning("the playlist folder \(folder) cannot be read", "make it, or set playlists-directory")
  }
}
