import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of the files in `data/interfaces`, which record the daemon's interfaces for other programs.
///
/// A recorded member stays as it is. `make tables` records new members, and refuses to record other changes.
@Suite struct InterfaceFilesTests {
  private static let folder = GeneratedTable.package + "/data/interfaces"

  /// Whether new members are recorded, as `make tables` requests.
  private static let writes = unsafe getenv("WRITE_TABLES") != nil

  @Test("The daemon has every recorded interface and member unchanged, and no other; make tables records new ones")
  func files() async throws {
    var documents: [String: String] = [:]
    try await withDaemon([]) { daemon in
      for (name, path) in HostileTests.objects {
        for (interface, xml) in try await Introspected(name, path, over: daemon.client).interfaces
        where !interface.hasPrefix("org.freedesktop.") {
          documents[interface + ".xml"] = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
            \(xml)</node>

            """
        }
      }
    }
    #expect(documents.count >= 6)
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    for name in names {
      let changes = Self.changes(from: Self.recorded(name), to: documents[name] ?? "")
      #expect(changes == [], "\(name): recorded members are stable")
      if !changes.isEmpty { documents[name] = nil }
    }
    for (name, text) in documents {
      if Self.writes { try Data(text.utf8).write(to: URL(filePath: "\(Self.folder)/\(name)")) }
      #expect(Self.recorded(name) == text, "\(name): make tables records the new members")
    }
  }

  @Test("A member that is removed or changed is found; new members and another order are not changes")
  func comparison() {
    let old = """
      <interface name="a.B">
        <method name="M">
          <arg name="x" type="i" direction="in"/>
        </method>
        <property name="P" type="s" access="read"/>
        <signal name="S"/>
      </interface>
      """
    #expect(Self.changes(from: old, to: old) == [])
    let longer = old.replacing("  <signal", with: "  <method name=\"N\"/>\n  <signal")
    #expect(Self.changes(from: old, to: longer) == [])
    #expect(Self.changes(from: longer, to: old) == ["method N"])
    #expect(Self.changes(from: old, to: old.replacing("type=\"i\"", with: "type=\"u\"")) == ["method M"])
    #expect(Self.changes(from: old, to: old.replacing("type=\"s\"", with: "type=\"o\"")) == ["property P"])
    #expect(Self.changes(from: old, to: "") == ["method M", "property P", "signal S"])
  }

  private static func recorded(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data(), as: UTF8.self)
  }

  /// Returns the members of an interface that are missing or different in another version.
  private static func changes(from old: String, to new: String) -> [String] {
    let new = members(of: new)
    return members(of: old).filter { new[$0.key] != $0.value }.keys.sorted()
  }

  /// Returns the lines of each member.
  private static func members(of xml: String) -> [String: String] {
    var members: [String: String] = [:]
    var member = ""
    for line in xml.split(separator: "\n") {
      if let start = line.firstMatch(of: #/<(method|property|signal) name="(\w+)"/#) {
        member = "\(start.output.1) \(start.output.2)"
      } else if line.contains("interface") {
        member = ""
      }
      if !member.isEmpty { members[member, default: ""] += line.drop { $0 == " " } + "\n" }
    }
    return members
  }
}
