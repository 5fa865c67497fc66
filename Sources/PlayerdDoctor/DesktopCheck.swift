import PlayerdSystem

/// Checks the desktop file, which provides the player's name and the "Open with" entry.
enum DesktopCheck {
  private static let name = "applications/\(Names.executable).desktop"

  static func findings() -> [Finding] {
    for folder in folders {
      let path = "\(folder)/\(name)"
      guard case .success(let text) = LocalFileSystem().text(of: path, limit: 1 << 20) else { continue }
      return [finding(path, text)]
    }
    return [.warning("no desktop file found", "install the package, or run make install")]
  }

  private static func finding(_ path: String, _ text: String) -> Finding {
    let line = text.split(separator: "\n").first { $0.hasPrefix("Exec=") }
    guard let program = line?.dropFirst(5).split(separator: " ").first.map(String.init) else {
      return .error("\(path) has no Exec line", "reinstall the package")
    }
    guard CommandOutput.path(of: program) != nil else {
      return .error("\(path) starts \(program), which does not exist", "reinstall the package")
    }
    return .ok("desktop file: \(path)")
  }

  /// After the XDG base directory specification.
  private static var folders: [String] {
    let shared = Environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    return (Directories.data.map { [$0] } ?? []) + shared.split(separator: ":").map(String.init)
  }
}
