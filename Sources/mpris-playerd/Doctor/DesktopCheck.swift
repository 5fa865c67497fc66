import Glibc

/// The desktop file, by which desktops show the player's name and "Open with" finds it.
enum DesktopCheck {
  private static let name = "applications/\(Names.executable).desktop"

  static func findings() -> [Finding] {
    for folder in folders {
      let path = "\(folder)/\(name)"
      guard case .success(let text) = TextFile.text(of: path, limit: 1 << 20) else { continue }
      return [finding(path, text)]
    }
    return [.warning("there is no desktop file", "install the package, or run make install")]
  }

  private static func finding(_ path: String, _ text: String) -> Finding {
    let line = text.split(separator: "\n").first { $0.hasPrefix("Exec=") }
    guard let program = line?.dropFirst(5).split(separator: " ").first.map(String.init) else {
      return .error("\(path) starts nothing", "install the package anew")
    }
    guard isInstalled(program) else {
      return .error("\(path) starts \(program), which is not there", "install it anew")
    }
    return .ok("the desktop file \(path)")
  }

  /// After the XDG base directory specification.
  private static var folders: [String] {
    let own = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { "\($0)/.local/share" }
    let shared = Environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    return (own.map { [$0] } ?? []) + shared.split(separator: ":").map(String.init)
  }

  private static func isInstalled(_ program: String) -> Bool {
    if program.hasPrefix("/") { return unsafe access(program, X_OK) == 0 }
    let path = Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
  }
}
