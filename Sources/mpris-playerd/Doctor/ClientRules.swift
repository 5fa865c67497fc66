import DBus

/// What clients rely on, looked for in a daemon that runs: each property is there and of its type, and what it says is
/// true.
struct ClientRules {
  let connection: Connection
  let owner: BusName

  private static let remedy = "restart the daemon; if it stays, report it"
  private static let interfaces: [(ObjectPath, InterfaceName)] = [
    (Names.mprisPath, "org.mpris.MediaPlayer2"), (Names.mprisPath, Names.playerInterface),
    (Names.mprisPath, "org.mpris.MediaPlayer2.TrackList"), (Names.mprisPath, "org.mpris.MediaPlayer2.Playlists"),
    (Names.objectPath, Names.monitorInterface), (Names.objectPath, Names.controlInterface),
    (Names.objectPath, "org.playerd.Extras1"),
  ]

  func findings() async -> [Finding] {
    var findings: [Finding] = []
    var documents: [String: [IntrospectedInterface]] = [:]
    for (path, interface) in Self.interfaces {
      do throws(DBusError) {
        if documents[path.rawValue] == nil { documents[path.rawValue] = try await introspection(path) }
        guard let declared = documents[path.rawValue]?.first(where: { $0.name == interface.rawValue }) else {
          findings.append(.error("the daemon does not have \(interface)", Self.remedy))
          continue
        }
        let values = try await connection.properties(of: interface, at: path, of: owner)
        let faults =
          declared.faults(in: values) + (interface == Names.playerInterface ? PlayerRules.faults(values) : [])
        findings += faults.map { .error("\(interface): \($0)", Self.remedy) }
        if faults.isEmpty { findings.append(.ok("\(interface) keeps the rules")) }
      } catch {
        findings.append(.error("\(interface): \(error.message)", Self.remedy))
      }
    }
    return findings
  }

  private func introspection(_ path: ObjectPath) async throws(DBusError) -> [IntrospectedInterface] {
    let reply = try await connection.call(
      owner, path, "org.freedesktop.DBus.Introspectable", "Introspect", timeout: .seconds(5))
    return IntrospectedInterface.all(in: reply.first?.asString ?? "")
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
    if name == Names.playerInterface.rawValue, !silent.contains("Position") {
      faults.append("Position is declared to be told with every change")
    }
    return faults
  }
}

/// What the properties of the MPRIS player say of each other.
enum PlayerRules {
  static func faults(_ values: [String: Value]) -> [String] {
    let metadata = values["Metadata"]?.asDictionary ?? [:]
    func can(_ what: String) -> Bool { values["Can\(what)"]?.asBool ?? false }
    let status = values["PlaybackStatus"]?.asString ?? ""
    let position = values["Position"]?.asInt64 ?? 0
    let rate = values["Rate"]?.asDouble ?? 1
    let rates = (values["MinimumRate"]?.asDouble ?? 1, values["MaximumRate"]?.asDouble ?? 1)
    var faults: [String] = []
    func expect(_ isTrue: Bool, _ fault: String) { if !isTrue { faults.append(fault) } }
    expect(["Playing", "Paused", "Stopped"].contains(status), "PlaybackStatus is “\(status)”")
    expect(can("Control"), "CanControl is false")
    expect(rates.0 <= rate && rate <= rates.1, "Rate \(rate) is not between MinimumRate and MaximumRate")
    expect(position >= 0, "Position is negative")
    if metadata.isEmpty {
      expect(status == "Stopped", "\(status), and there is no track")
      for what in ["Play", "Pause", "Seek", "GoNext", "GoPrevious"] where can(what) {
        faults.append("Can\(what) is true, and there is no track")
      }
      return faults
    }
    expect(metadata["mpris:trackid"]?.asObjectPath != nil, "Metadata has no mpris:trackid, or not as a path")
    expect(!(metadata["xesam:title"]?.asString ?? "").isEmpty, "Metadata has no title")
    expect(can("Play") && can("Pause"), "there is a track, and CanPlay or CanPause is false")
    if let length = metadata["mpris:length"] {
      let microseconds = length.asInt64 ?? 0
      expect(length.signature.rawValue == "x" && microseconds > 0, "mpris:length is no length")
      expect(position <= microseconds, "Position \(position) is beyond the length \(microseconds)")
    }
    return faults
  }
}
