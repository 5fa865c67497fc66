import DBus
import MPRISService
import PlayerdInterfaces

/// What clients rely on, looked for in a daemon that runs: each property is there and of its type, and what it says is
/// true.
struct ClientRules {
  let connection: Connection
  let owner: BusName

  private static let remedy = "restart the daemon; if it stays, report it"
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
        let remote = RemoteInterface(interface, at: path, of: owner, on: connection)
        if documents[path.rawValue] == nil {
          documents[path.rawValue] = IntrospectedInterface.all(in: try await remote.introspect())
        }
        guard let declared = documents[path.rawValue]?.first(where: { $0.name == interface.rawValue }) else {
          findings.append(.error("the daemon does not have \(interface)", Self.remedy))
          continue
        }
        let values = try await remote.getAll()
        let faults =
          declared.faults(in: values) + (interface == PlayerInterface.name ? PlayerRules.faults(values) : [])
        findings += faults.map { .error("\(interface): \($0)", Self.remedy) }
        if faults.isEmpty { findings.append(.ok("\(interface) keeps the rules")) }
      } catch {
        findings.append(.error("\(interface): \(error.message)", Self.remedy))
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
  /// The properties whose changes are not told.
  var silent: Set<String> = []

  /// Reads a document as the daemon writes it: one element a line.
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

  /// What is wrong with the answer to GetAll.
  func faults(in values: [String: Value]) -> [String] {
    var faults: [String] = []
    for (name, type) in properties.sorted(by: { $0.key < $1.key }) {
      guard let value = values[name] else {
        faults.append("GetAll leaves out \(name)")
        continue
      }
      if value.signature.rawValue != type {
        faults.append("\(name) is of type \(value.signature), and not \(type) as declared")
      }
    }
    if name == PlayerInterface.name.rawValue, !silent.contains(PlayerInterface.position.name.rawValue) {
      faults.append("Position is declared to be told with every change")
    }
    return faults
  }
}

/// What the properties of the MPRIS player say of each other.
enum PlayerRules {
  static func faults(_ values: [String: Value]) -> [String] {
    let metadata = values[PlayerInterface.metadata]?.asDictionary ?? [:]
    func can(_ property: PlayerInterface.Row) -> Bool { values[property]?.asBool ?? false }
    let status = values[PlayerInterface.status]?.asString ?? ""
    let position = values[PlayerInterface.position]?.asInt64 ?? 0
    let rate = values[PlayerInterface.rate]?.asDouble ?? 1
    let rates = (
      values[PlayerInterface.minimumRate]?.asDouble ?? 1, values[PlayerInterface.maximumRate]?.asDouble ?? 1
    )
    var faults: [String] = []
    func expect(_ isTrue: Bool, _ fault: String) { if !isTrue { faults.append(fault) } }
    expect(["Playing", "Paused", "Stopped"].contains(status), "PlaybackStatus is “\(status)”")
    expect(can(PlayerInterface.canControl), "CanControl is false")
    expect(rates.0 <= rate && rate <= rates.1, "Rate \(rate) is not between MinimumRate and MaximumRate")
    expect(position >= 0, "Position is negative")
    if metadata.isEmpty {
      expect(status == "Stopped", "\(status), and there is no track")
      let abilities = [
        PlayerInterface.canPlay, PlayerInterface.canPause, PlayerInterface.canSeek, PlayerInterface.canGoNext,
        PlayerInterface.canGoPrevious,
      ]
      for ability in abilities where can(ability) { faults.append("\(ability.name) is true, and there is no track") }
      return faults
    }
    expect(metadata["mpris:trackid"]?.asObjectPath != nil, "Metadata has no mpris:trackid, or not as a path")
    expect(!(metadata["xesam:title"]?.asString ?? "").isEmpty, "Metadata has no title")
    expect(
      can(PlayerInterface.canPlay) && can(PlayerInterface.canPause),
      "there is a track, and CanPlay or CanPause is false")
    if let length = metadata["mpris:length"] {
      let microseconds = length.asInt64 ?? 0
      expect(length.signature.rawValue == "x" && microseconds > 0, "mpris:length is no length")
      expect(position <= microseconds, "Position \(position) is beyond the length \(microseconds)")
    }
    return faults
  }
}
