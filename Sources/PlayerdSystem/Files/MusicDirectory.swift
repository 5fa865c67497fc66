/// The user's music directory, as xdg-user-dirs defines it.
///
/// <https://www.freedesktop.org/wiki/Software/xdg-user-dirs/>
package enum MusicDirectory {
  /// The absolute path; nil without a home directory.
  package static var path: String? {
    if let path = Environment.absolutePath("XDG_MUSIC_DIR") { return path }
    guard let home = Environment.absolutePath("HOME") else { return nil }
    if let folder = Directories.configuration,
      case .success(let text) = LocalFileSystem().text(of: "\(folder)/user-dirs.dirs", limit: 1 << 16),
      let path = parse(text, home: home)
    {
      return path
    }
    return "\(home)/Music"
  }

  /// Reads `user-dirs.dirs`: shell assignments of quoted paths that are absolute or begin with `$HOME`.
  static func parse(_ text: String, home: String) -> String? {
    let key = "XDG_MUSIC_DIR="
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
    guard var value = lines.last(where: { $0.hasPrefix(key) })?.dropFirst(key.count) else { return nil }
    while value.last?.isWhitespace == true { value = value.dropLast() }
    guard value.count >= 2, value.first == "\"", value.last == "\"" else { return nil }
    // A backslash quotes the next character.
    let path = String(value.dropFirst().dropLast().replacing(#/\\(.?)/#) { $0.1 })
    if path == "$HOME" || path.hasPrefix("$HOME/") { return home + path.dropFirst("$HOME".count) }
    return path.hasPrefix("/") ? path : nil
  }
}
