import MPRISService

/// The name of an instance: the main one, or the process ID of a separate one.
package enum InstanceName: Equatable, Sendable {
  case main
  case process(Int32)

  /// Accepts a process ID and every form of the MPRIS name: `instance42`, `playerd.instance42`, the full bus name.
  package init?(argument: String) {
    if let number = Int32(argument), number > 0 {
      self = .process(number)
      return
    }
    var rest = Substring(argument)
    for prefix in [MPRISService.busNamePrefix, "org."] where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
      break
    }
    if rest == PlayerdName.player || rest == "main" {
      self = .main
      return
    }
    if rest.hasPrefix(PlayerdName.player + ".") { rest = rest.dropFirst(PlayerdName.player.count + 1) }
    guard rest.hasPrefix("instance"), let number = Int32(rest.dropFirst("instance".count)), number > 0 else {
      return nil
    }
    self = .process(number)
  }

  /// The part of the bus names that separates instances; empty for the main one.
  package var suffix: String { if case .process(let number) = self { ".instance\(number)" } else { "" } }

  /// The name as `playerctl --list-all` prints it.
  package var text: String { PlayerdName.player + suffix }
}
