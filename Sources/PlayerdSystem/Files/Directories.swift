/// The user's folders by the XDG base directory specification; nil without a home directory.
///
/// <https://specifications.freedesktop.org/basedir-spec/latest/>
package enum Directories {
  package static var configuration: String? { folder("XDG_CONFIG_HOME", ".config") }
  package static var state: String? { folder("XDG_STATE_HOME", ".local/state") }
  package static var data: String? { folder("XDG_DATA_HOME", ".local/share") }
  package static var cache: String? { folder("XDG_CACHE_HOME", ".cache") }

  /// Ignores a variable that is not an absolute path, as the specification requires.
  private static func folder(_ variable: String, _ standard: String) -> String? {
    Environment.absolutePath(variable) ?? Environment.absolutePath("HOME").map { "\($0)/\(standard)" }
  }
}
