import TestSupport
import Testing

@testable import DBus

@Suite("Introspection")
struct IntrospectionTests {
  @Test("The document of an object contains its members")
  func members() async throws {
    try await LampTest.run { test in
      let xml = try await test.introspect(.lamp)
      #expect(
        xml.contains(
          """
            <interface name="org.example.Lamp">
              <method name="Echo">
                <arg name="value" type="v" direction="in"/>
                <arg name="value" type="v" direction="out"/>
              </method>
              <method name="Add">
                <arg name="one" type="i" direction="in"/>
                <arg name="other" type="i" direction="in"/>
                <arg name="sum" type="x" direction="out"/>
              </method>
              <method name="Break"/>
              <method name="Wait">
                <arg name="value" type="v" direction="in"/>
                <arg name="value" type="v" direction="out"/>
              </method>
              <method name="Refuse"/>
              <method name="Lie">
                <arg name="text" type="s" direction="out"/>
              </method>
              <method name="Brighten"/>
              <property name="Level" type="x" access="readwrite"/>
              <property name="Name" type="s" access="readwrite"/>
              <property name="Hours" type="u" access="read">
                <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
              </property>
              <property name="Serial" type="s" access="read">
                <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
              </property>
              <property name="Tags" type="as" access="read">
                <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/>
              </property>
              <property name="Inventory" type="i" access="read"/>
              <signal name="Flickered">
                <arg name="times" type="u"/>
                <arg name="why" type="s"/>
              </signal>
            </interface>
          """))
      for interface in ["Properties", "Introspectable", "Peer"] {
        #expect(xml.contains("<interface name=\"org.freedesktop.DBus.\(interface)\">"))
      }
      #expect(xml.contains("<signal name=\"PropertiesChanged\">"))
    }
  }

  @Test("Each path above an object lists its child nodes")
  func children() async throws {
    try await LampTest.run { test in
      try await test.service.export(at: "/org/example/Lamp/bulb", [DBusInterface<Void>("org.example.Bulb")]) { () }
      try await test.service.export(at: "/org/example/Lampion", [DBusInterface<Void>("org.example.Bulb")]) { () }
      #expect(try await test.children("/") == ["org"])
      #expect(try await test.children("/org") == ["example"])
      #expect(try await test.children("/org/example") == ["Lamp", "Lampion"])
      #expect(try await test.children(.lamp) == ["bulb"])
      #expect(try await test.introspect("/org").contains("org.freedesktop.DBus.Properties") == false)
    }
  }

  @Test("The root is introspectable when no object is exported")
  func emptyRoot() async throws {
    try await LampTest.run { test in
      await test.service.unexport(.lamp)
      let children = try await test.children("/")
      #expect(children == [])
    }
  }

  @Test("Names are escaped")
  func escaping() {
    #expect(DBusIntrospection.escaped("a<b>\"&\u{1}") == "a&lt;b&gt;&quot;&amp; ")
  }

  @Test("busctl parses the document", .enabled(if: Tool.areAvailable("busctl"), "busctl is not installed"))
  func busctl() async throws {
    try await LampTest.run { test in
      let result = try await run([
        "busctl", "--address=\(test.bus.address)", "introspect", test.service.uniqueName.rawValue, "/org/example/Lamp",
      ])
      #expect(result.succeeded, "\(result.error)")
      #expect(result.output.contains("org.example.Lamp"))
    }
  }
}

extension LampTest {
  fileprivate func introspect(_ path: ObjectPath) async throws -> String {
    try await call("Introspect", interface: .introspectable, path: path).first?.asString ?? ""
  }

  fileprivate func children(_ path: ObjectPath) async throws -> [String] {
    try await introspect(path).split(separator: "\n").filter { $0.hasPrefix("  <node") }.map {
      String($0.split(separator: "\"")[1])
    }
  }
}
