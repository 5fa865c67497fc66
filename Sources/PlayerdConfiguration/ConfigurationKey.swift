import Playback

/// One key of the configuration: its name, kind, default, description and effect.
///
/// The file, the variables, the manual and `mpris-playerd config` all come from these rows.
package struct ConfigurationKey: Sendable {
  /// In kebab case, as in the file; the equivalent option of `play` has the same name.
  package let name: String
  package let kind: ConfigurationKind
  /// Whether a reload applies a new value to the running daemon.
  let isLive: Bool
  /// The description in the manual.
  let summary: String
  private let read: @Sendable (Configuration) -> ConfigurationValue
  private let write: @Sendable (inout Configuration, ConfigurationValue) -> String?

  /// The prefix of all environment variables.
  static let variablePrefix = "MPRIS_PLAYERD_"

  /// The environment variable of the same meaning.
  var variable: String { Self.variablePrefix + String(name.uppercased().map { $0 == "-" ? "_" : $0 }) }

  package func value(in configuration: Configuration) -> ConfigurationValue { read(configuration) }

  /// Sets the key.
  ///
  /// - Returns: The reason why the value is rejected; nil if it has been set.
  func set(_ value: ConfigurationValue, in configuration: inout Configuration) -> String? {
    kind.objection(to: value) ?? write(&configuration, value)
  }
}

extension ConfigurationKey {
  typealias Path<Value> = any WritableKeyPath<Configuration, Value> & Sendable

  static func boolean(_ name: String, live: Bool = false, _ path: Path<Bool>, _ summary: String) -> ConfigurationKey {
    ConfigurationKey(
      name: name, kind: .boolean, isLive: live, summary: summary, read: { .boolean($0[keyPath: path]) }
    ) {
      if case .boolean(let value) = $1 { $0[keyPath: path] = value }
      return nil
    }
  }

  static func shuffle(_ name: String, _ path: Path<Player.ShuffleMode>, _ summary: String) -> ConfigurationKey {
    let albums = Player.ShuffleMode.albums.rawValue
    return ConfigurationKey(
      name: name, kind: .booleanOr(albums), isLive: false, summary: summary,
      read: { .shuffle($0[keyPath: path]) }
    ) {
      switch $1 {
      case .boolean(let isOn): $0[keyPath: path] = isOn ? .tracks : .off
      case .text: $0[keyPath: path] = .albums
      case .number, .list: break
      }
      return nil
    }
  }

  static func number(
    _ name: String, _ range: ClosedRange<Double>, live: Bool = false, _ path: Path<Double>, _ summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, kind: .number(range), isLive: live, summary: summary, read: { .number($0[keyPath: path]) }
    ) {
      if case .number(let value) = $1 { $0[keyPath: path] = value }
      return nil
    }
  }

  /// Makes a key for a volume, whose value in the configuration is on the scale of MPRIS.
  static func percent(
    _ name: String, _ range: ClosedRange<Double>, live: Bool = false, _ path: Path<Double>, _ summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, kind: .percent(range), isLive: live, summary: summary,
      read: { VolumePercent.value(of: $0[keyPath: path]) }
    ) {
      if let volume = VolumePercent($1) { $0[keyPath: path] = volume.level }
      return nil
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, live: Bool = false, _ path: Path<Choice>, _ summary: String
  ) -> ConfigurationKey {
    let kind = ConfigurationKind.choice(Choice.allCases.map(\.rawValue))
    return ConfigurationKey(
      name: name, kind: kind, isLive: live, summary: summary, read: { .text($0[keyPath: path].rawValue) }
    ) {
      if case .text(let text) = $1, let value = Choice(rawValue: text) { $0[keyPath: path] = value }
      return nil
    }
  }

  /// Makes a key for a text; `check` returns the reason why a text is rejected.
  static func text(
    _ name: String, _ path: Path<String>, _ summary: String,
    check: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> ConfigurationKey {
    ConfigurationKey(name: name, kind: .text, isLive: false, summary: summary, read: { .text($0[keyPath: path]) }) {
      guard case .text(let value) = $1 else { return nil }
      if let objection = check(value) { return objection }
      $0[keyPath: path] = value
      return nil
    }
  }

  /// Makes a key for a list; `part` may normalize an element, and returns the reason why the element is rejected.
  static func list(
    _ name: String, live: Bool = false, _ path: Path<[String]>, _ summary: String,
    part: @escaping @Sendable (inout String) -> String?
  ) -> ConfigurationKey {
    ConfigurationKey(name: name, kind: .list, isLive: live, summary: summary, read: { .list($0[keyPath: path]) }) {
      guard case .list(var texts) = $1 else { return nil }
      for index in texts.indices {
        if let objection = part(&texts[index]) { return objection }
      }
      $0[keyPath: path] = texts
      return nil
    }
  }
}
