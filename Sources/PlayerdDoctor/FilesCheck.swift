import Glibc
import PlayerdConfiguration
import PlayerdStorage
import PlayerdSystem

/// Checks the daemon's state files and the playlist folder.
enum FilesCheck {
  static func findings(_ configuration: Configuration) -> [Finding] {
    guard let state = Directories.state else {
      return [.error("no home directory for the session", "set HOME to an absolute path")]
    }
    let folder = "\(state)/\(Names.executable)"
    return [session(folder), positions(folder), playlists(configuration)]
  }

  private static func session(_ folder: String) -> Finding {
    let path = "\(folder)/session.json"
    let fate: FindingText = "the next start renames it and begins with an empty queue"
    switch LocalFileSystem().bytes(of: path, limit: SessionStore.limit) {
    case .failure(let failure) where failure.isAbsence: return .ok("no saved session yet")
    case .failure(let failure): return .error("\(path): \(term: failure.message)", "make the file readable")
    case .success(let bytes):
      do throws(FileFailure) {
        let session = try SessionFormat.decode(bytes, place: nil)
        guard unsafe access(folder, W_OK) == 0 else {
          return .error("\(folder) is not writable", "give your user write permission")
        }
        return .ok("saved session: \(term: counted(session.queue.count, "track"))")
      } catch {
        return .error("\(path): \(term: error.message)", fate)
      }
    }
  }

  private static func positions(_ folder: String) -> Finding {
    do throws(FileFailure) {
      return .ok("saved positions in long files: \(try ResumePositions.read(from: folder).count)")
    } catch {
      guard !error.isAbsence else { return .ok("no saved positions in long files yet") }
      let isUnreadable = error.number != 0
      return .error(
        "\(ResumePositions.path(in: folder)): \(term: error.message)",
        isUnreadable ? "make the file readable" : "the next start renames it")
    }
  }

  private static func playlists(_ configuration: Configuration) -> Finding {
    guard let folder = configuration.playlistFolder.map({ String(decoding: $0, as: UTF8.self) }) else {
      return .warning("no home directory for the playlists", "set playlists-directory")
    }
    if unsafe access(folder, R_OK | X_OK) == 0 { return .ok("playlist folder: \(folder)") }
    return configuration.playlistsDirectory.isEmpty
      ? .ok("the playlist folder \(folder) does not exist yet")
      : .warning("cannot read the playlist folder \(folder)", "create it, or correct playlists-directory")
  }
}
