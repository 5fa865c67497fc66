import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of the files in `data/interfaces`, which describe the daemon's interfaces to other programs.
@Suite struct InterfaceFilesTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/data/interfaces"

  /// Whether the files are written instead of compared, as `make interfaces` requests.
  private static let writes = unsafe getenv("WRITE_INTERFACES") != nil

  @Test("Each interface of the daemon has a file with its introspection; make interfaces writes them")
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
    if Self.writes {
      try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
      for (name, text) in documents { try Data(text.utf8).write(to: URL(filePath: "\(Self.folder)/\(name)")) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    #expect(Set(names) == Set(documents.keys))
    for (name, text) in documents {
      let file = FileManager.default.contents(atPath: "\(Self.folder)/\(name)") ?? Data()
      #expect(String(decoding: file, as: UTF8.self) == text, "\(name)")
    }
  }
}
