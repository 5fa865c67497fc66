import Testing

@testable import PlayerdClient

@Suite("Status templates")
struct StatusTemplateTests {
  private static let values: [String: StatusTemplate.Value] = [
    "title": .text("Größe & <b>"), "status": .text("Playing"), "position": .number(83_000_000),
    "mpris:length": .number(240_000_000), "volume": .number(0.5), "album": .none,
    "xesam:comment": .text("a\\ \"b\" %{A1:x:}"),
  ]

  @Test(
    "Templates in playerctl's syntax are expanded",
    arguments: [
      ("plain", "plain"), ("{{title}}", "Größe & <b>"), ("{{ title }}!", "Größe & <b>!"), ("{{xesam:genre}}", ""),
      ("{{duration(position)}} / {{duration(mpris:length)}}", "1:23 / 4:00"),
      ("{{uc(status)}} {{lc(status)}}", "PLAYING playing"), ("{{markup_escape(title)}}", "Größe &amp; &lt;b&gt;"),
      ("{{default(album, \"no album\")}}", "no album"), ("{{default(title, 'x')}}", "Größe & <b>"),
      ("{{trunc(title, 3)}}", "Grö…"), ("{{trunc(title, 99)}}", "Größe & <b>"), ("{{emoji(status)}}", "▶️"),
      ("{{emoji(volume)}}", "🔉"), ("{{position / 1000000}}", "83"), ("{{duration(mpris:length - position)}}", "2:37"),
      ("{{json(xesam:comment)}}", #""a\\ \"b\" %{A1:x:}""#), ("{{json(album)}}", "\"\""),
      ("{{polybar_escape(xesam:comment)}}", "a\\ \"b\" %\u{200B}{A1:x:}"),
      ("{{volume * 100}} %", "50 %"), ("{{(1 + 2) * 3}}", "9"), ("{{1 / 0}}", ""), ("{{duration(title)}}", ""),
    ])
  func fills(template: String, text: String) throws {
    #expect(try StatusTemplate(template).text(Self.values) == text)
  }

  @Test(
    "A mistake in a template is reported",
    arguments: [
      ("{{title", "“{{” without “}}”"), ("{{}}", "cannot parse “{{}}”"), ("{{f(title)}}", "unknown function “f”"),
      ("{{trunc(title)}}", "trunc takes 2 arguments"), ("{{title title}}", "at “title”"),
      ("{{\"open}}", "cannot parse"),
      ("{{titel}}", "unknown field “titel”; did you mean “title”?"), ("{{lc(Artist)}}", "did you mean “artist”?"),
      ("{{genre}}", "did you mean “xesam:genre”?"), ("{{mpris:artURL}}", "did you mean “mpris:artUrl”?"),
      ("{{bitrate}}", "“mpris-playerd status --help” lists the fields"),
      ("{{1.2.3}}", "cannot parse"), ("{{" + String(repeating: "(", count: 999) + "}}", "nested too deeply"),
    ])
  func mistakes(template: String, text: String) {
    #expect { try StatusTemplate(template) } throws: { error in
      (error as? StatusTemplate.SyntaxError)?.message.contains(text) == true
    }
  }
}
