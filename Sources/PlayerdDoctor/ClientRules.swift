import DBus
import MPRISService
import PlayerdInterfaces

/// Checks in the running daemon the rules that clients rely on: each property exists, has the declared type, and is
/// consistent with the others.
struct ClientRules {
  let connection: DBusConnection
  let owner: BusName

  private static let remedy: FindingText = "restart the daemon; if the error persists, report it"
  private static let interfaces: [(ObjectPath, InterfaceName)] = [
    (MPRISService.path, RootInterface.name), (MPRISService.path, PlayerInterface.name),
    (MPRISService.path, TrackListInterface.name), (MPRISService.path, PlaylistsInterface.name),
    (PlayerdName.object, MonitorInterface.name), (PlayerdName.object, ControlInterface.name),
    (PlayerdName.object, ExtrasInterface.name),
  ]

  func findings() async -> [Finding] {
    var findings: [Finding] = []
    var documents: [String: [IntrospectedInterface]] = [:]
    for (path, interface) in Self.interfaces {
      do throws(DBusError) {
        let remote = DBusProxy(interface, at: path, of: owner, on: connection)
        if documents[path.rawValue] == nil {
          documents[path.rawValue] = IntrospectedInterface.all(in: try await remote.introspect())
        }
        guard let declared = documents[path.rawValue]?.first(where: { $0.name == interface.rawValue }) else {
          findings.append(.error("the daemon does not implement \(term: interface)", Self.remedy))
          continue
        }
        let values = try await remote.getAll()
        let faults =
          declared.faults(in: values) + (interface == PlayerInterface.name ? PlayerRules.faults(values) : [])
        findings += faults.map { .error("\(term: interface): \($0)", Self.remedy) }
        if faults.isEmpty { findings.append(.ok("\(term: interface) follows the rules")) }
      } catch {
        findings.append(.error("\(term: interface): \(error.message)", Self.remedy))
      }
    }
    return findings
  }
}

/// The properties that an introspection document declares for an interface.
struct IntrospectedInterface: Equatable {
  var name: String
  /// Types by name.
  var properties: [String: String] = [:]
  /// The properties that do not emit PropertiesChanged.
  var silent: Set<String> = []

  /// Reads a document in the form that the daemon writes: one element on each line.
  static func all(in document: String) -> [IntrospectedInterface] {
    var interfaces: [IntrospectedInterface] = []
    var property = ""
    for line in document.split(separator: "\n") {
      let element = line.drop { $0 == " " }
      if element.hasPrefix("<interface "), let name = attribute("name", of: element) {
        interfaces.append(IntrospectedInterface(name: name))
      } else if element.hasPrefix("<property "), let name = attribute("name", of: element), !interfaces.isEmpty {
        property = name
        interfaces[interfaces.count - 1].properties[name] = attribute("type", of: element)
      } else if element.hasPrefix("<annotation "), attribute("value", of: element) == "false", !interfaces.isEmpty {
        interfaces[interfaces.count - 1].silent.insert(property)
      }
    }
    return interfaces
  }

  private static func attribute(_ name: String, of element: Substring) -> String? {
    guard let start = element.firstRange(of: "\(name)=\"")?.upperBound else { return nil }
    return String(element[start...].prefix { $0 != "\"" })
  }

  /// Returns the errors in a reply to GetAll.
  func faults(in values: [String: DBusValue]) -> [FindingText] {
    var faults: [FindingText] = []
    for (name, type) in properties.sorted(by: { $0.key < $1.key }) {
      guard let value = values[name] else {
        faults.append("GetAll does not return \(term: name)")
        continue
      }
      if value.signature.rawValue != type {
        faults.append("\(term: name) has type \(term: value.signature) instead of the declared type \(term: type)")
      }
    }
    if name == PlayerInterface.name.rawValue, !silent.contains(PlayerInterface.position.name.rawValue) {
      faults.append("Position is declared to emit PropertiesChanged")
    }
    return faults
  }
}

/// Checks that the properties of the MPRIS player are consistent.
enum PlayerRules {
  static func faults(_ values: [String: DBusValue]) -> [FindingText] {
    let metadata = values[PlayerInterface.metadata]?.asDictionary ?? [:]
    func can(_ property: PlayerInterface.Row) -> Bool { values[property]?.asBool ?? false }
    let status = values[PlayerInterface.status]?.asString ?? ""
    let position = values[PlayerInterface.position]?.asInt64 ?? 0
    let rate = values[PlayerInterface.rate]?.asDouble ?? 1
    let rates = (
      values[PlayerInterface.minimumRate]?.asDouble ?? 1, values[PlayerInterface.maximumRate]?.asDouble ?? 1
    )
    var faults: [FindingText] = []
    func expect(_ isTrue: Bool, _ fault: FindingText) { if !isTrue { faults.append(fault) } }
    expect(["Playing", "Paused", "Stopped"].contains(status), "PlaybackStatus is “\(status)”")
    expect(can(PlayerInterface.canControl), "CanControl is false")
    expect(rates.0 <= rate && rate <= rates.1, "Rate \(term: rate) is not between MinimumRate and MaximumRate")
    expect(position >= 0, "Position is negative")
    if metadata.isEmpty {
      expect(status == "Stopped", "PlaybackStatus is \(status) without a track")
      let abilities = [
        PlayerInterface.canPlay, PlayerInterface.canPause, PlayerInterface.canSeek, PlayerInterface.canGoNext,
        PlayerInterface.canGoPrevious,
      ]
      for ability in abilities where can(ability) { faults.append("\(term: ability.name) is true without a track") }
      return faults
    }
    expect(metadata["mpris:trackid"]?.asObjectPath != nil, "Metadata does not contain mpris:trackid as an object path")
    // The first track gets its title only when it is opened.
    expect(metadata["xesam:title"].map { !($0.asString ?? "").isEmpty } ?? true, "xesam:title is empty")
    expect(
      can(PlayerInterface.canPlay) && can(PlayerInterface.canPause),
      "CanPlay or CanPause is false with a track")
    if let length = metadata["mpris:length"] {
      let microseconds = length.asInt64 ?? 0
      expect(length.signature.rawValue == "x" && microseconds > 0, "mpris:length is not a positive int64")
      expect(position <= microseconds, "Position \(position) is beyond the length \(microseconds)")
    }
    return faults
  }
}
