import DBus
import Testing

@testable import PlayerdDoctor

@Suite("Rules of doctor for the replies of a daemon")
struct DoctorRulesTests {
  private let document = """
    <node>
      <interface name="org.mpris.MediaPlayer2.Player">
        <method name="Seek">
          <arg name="Offset" type="x" direction="in"/>
        </method>
        <property name="Volume" type="d" access="readwrite"/>
        <property name="Position" type="x" access="read">
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
        </property>
      </interface>
      <interface name="b">
        <property name="Queue" type="as" access="read"/>
      </interface>
    </node>
    """

  private let playing: [String: DBusValue] = [
    "PlaybackStatus": .string("Playing"), "CanControl": .boolean(true), "CanPlay": .boolean(true),
    "CanPause": .boolean(true), "Rate": .double(1), "MinimumRate": .double(0.25), "MaximumRate": .double(4),
    "Position": .int64(5),
    "Metadata": .dictionary([
      ("mpris:trackid", .objectPath("/org/playerd/track/1")), ("xesam:title", .string("T")),
      ("mpris:length", .int64(9)),
    ]),
  ]

  @Test("Declared properties must exist and have their declared types")
  func types() throws {
    let interfaces = IntrospectedInterface.all(in: document)
    #expect(interfaces.map(\.name) == ["org.mpris.MediaPlayer2.Player", "b"])
    let player = try #require(interfaces.first)
    #expect(player.faults(in: ["Volume": .double(1), "Position": .int64(0)]) == [])
    #expect(player.faults(in: ["Volume": .int32(1), "Position": .int64(0)]).count == 1)
    #expect(player.faults(in: ["Volume": .double(1)]) == ["GetAll does not return Position"])
    #expect(interfaces.last?.faults(in: ["Queue": .strings([])]) == [])
  }

  @Test("A position in PropertiesChanged is a fault")
  func position() throws {
    let noisy = document.replacing("value=\"false\"", with: "value=\"true\"")
    let player = try #require(IntrospectedInterface.all(in: noisy).first)
    #expect(player.faults(in: ["Volume": .double(1), "Position": .int64(0)]).count == 1)
  }

  @Test("A first track without a title is not a fault while it is opened")
  func opening() {
    let metadata = DBusValue.dictionary([("mpris:trackid", .objectPath("/a")), ("xesam:url", .string("file:///a"))])
    #expect(PlayerRules.faults(playing.merging(["Metadata": metadata]) { $1 }) == [])
  }

  @Test("Valid values of a playing track pass; each invalid value is a fault")
  func lies() {
    #expect(PlayerRules.faults(playing) == [])
    let lies: [(String, DBusValue)] = [
      ("PlaybackStatus", .string("Running")), ("CanControl", .boolean(false)), ("CanPause", .boolean(false)),
      ("Rate", .double(8)), ("Position", .int64(-1)), ("Position", .int64(10)),
      ("Metadata", .dictionary([("mpris:trackid", .string("1")), ("xesam:title", .string("T"))])),
      ("Metadata", .dictionary([("mpris:trackid", .objectPath("/a")), ("xesam:title", .string(""))])),
      ("Metadata", .dictionary([])),
    ]
    for (name, lie) in lies {
      #expect(!PlayerRules.faults(playing.merging([name: lie]) { $1 }).isEmpty, "\(name) \(lie)")
    }
  }
}
