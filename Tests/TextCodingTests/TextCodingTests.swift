import Testing

@testable import TextCoding

@Suite("Bytes of URIs and text") struct TextCodingTests {
  @Test(
    "Text is read as UTF-8, else in the code page, else as Windows-1252 or Latin-1",
    arguments: [
      (nil, [0xC3, 0xA4], "ä"), (nil, [0xE4], "ä"), (nil, [0x80, 0x81], "€\u{81}"), (nil, [], ""),
      ("windows-1251", [0xC3, 0xA4], "ä"), ("windows-1251", [0xCA, 0xE8], "Ки"), ("WINDOWS-1251", [0x98, 0xE8], "˜è"),
      ("koi8-r", [0xEB, 0xC9], "Ки"), ("Shift_JIS", [0x83, 0x65], "テ"), ("Shift_JIS", [0x83], "ƒ"),
      ("EUC-KR", [0xB0, 0xA1, 0x41], "가A"), ("iso-8859-2", [0xB1], "ą"),
    ] as [(String?, [UInt8], String)])
  func decoding(codePage: String?, bytes: [UInt8], text: String) throws {
    let decoding = try codePage.map { try #require(TextDecoding(codePage: $0)) } ?? TextDecoding()
    #expect(decoding.decode(bytes) == text)
  }

  @Test(
    "A code page is an encoding of iconv that contains ASCII and other characters",
    arguments: [
      "", "latin0", "UTF-16", "UTF-7", "UTF-32LE", "IBM037", "US-ASCII", "ISO-2022-JP", "CP1251//TRANSLIT", "a\u{0}",
    ])
  func wrongCodePage(name: String) {
    #expect(TextDecoding(codePage: name) == nil)
  }

  @Test(
    "A URI begins with a letter, other scheme characters and a colon",
    arguments: [
      ("http://a", "http"), ("C:\\a", "C"), ("a+b-c.1:x", "a+b-c.1"), ("x:", "x"), ("1a:b", nil), ("a/b:c", nil),
      ("ä:b", nil), ("a", nil), (":a", nil), ("", nil),
    ] as [(String, String?)])
  func scheme(text: String, scheme: String?) {
    #expect(text.utf8.uriScheme.map { String(decoding: $0, as: UTF8.self) } == scheme)
  }

  @Test(
    "Where paths are likely, a URI has two characters or more before ://, or is a file: URI",
    arguments: [
      ("HTTP://a", "http"), ("File:a", "file"), ("file:///a", "file"), ("smb://a/b", "smb"), ("C:\\a", nil),
      ("c://a", nil), ("ab:c", nil), ("a b://c", nil), ("dir/http://a", nil), ("file", nil),
    ] as [(String, String?)])
  func locationScheme(text: String, scheme: String?) {
    #expect(text.utf8.locationScheme == scheme)
    #expect(Array("x\(text)".utf8).dropFirst().locationScheme == scheme)
  }

  @Test(
    "A percent sign and two hexadecimal digits are decoded; other percent signs stay",
    arguments: [
      ("a%20b%C3%a4", "a bä"), ("100%", "100%"), ("%4", "%4"), ("%zz%41", "%zzA"), ("%%41", "%A"), ("a%+1", "a%+1"),
      ("%-1", "%-1"), ("", ""),
    ])
  func percentDecoding(text: String, decoded: String) {
    #expect(PercentEncoding.decode(text.utf8) == Array(decoded.utf8))
  }

  @Test("Each byte survives being encoded and decoded")
  func percentEncoding() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = PercentEncoding.encode(bytes) { $0.isASCIILetter || $0.isASCIIDigit }
    #expect(text.hasPrefix("%00%01") && text.contains("%2F0123456789%3A") && text.hasSuffix("%FF"))
    #expect(PercentEncoding.decode(text.utf8) == bytes)
  }

  @Test(
    "A byte order mark decides the order of the bytes",
    arguments: [
      ([0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0, 0xDE], "a😀"), ([0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D, 0xDE, 0], "a😀"),
      ([0xFE, 0xFF, 0, 0x61, 0], "a"), ([0xFE, 0xFF, 0xD8, 0x3D], "\u{FFFD}"), ([0xFF, 0xFE], ""), ([0xFF], nil),
      ([0, 0x61], nil), ([], nil),
    ] as [([UInt8], String?)])
  func marked(bytes: [UInt8], text: String?) {
    #expect(UTF16Bytes.decodeMarked(bytes[...]) == text)
    #expect(UTF16Bytes.decodeMarked(([0] + bytes).dropFirst()) == text)
  }

  @Test("Text without a byte order mark is decoded in the order named, from an odd index as well")
  func unmarked() {
    let bytes: [UInt8] = [0x61, 0, 0x62, 0]
    #expect(UTF16Bytes.decode(bytes[...], isLittleEndian: true) == "ab")
    #expect(UTF16Bytes.decode(bytes[1...2], isLittleEndian: false) == "b")
    #expect(UTF16Bytes.decode([], isLittleEndian: false).isEmpty)
  }

  @Test("Classes of bytes contain ASCII alone")
  func classes() {
    let all = UInt8.min...UInt8.max
    #expect(all.filter(\.isASCIIDigit) == Array("0123456789".utf8))
    #expect(all.filter(\.isASCIILetter) == Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8))
    #expect(all.filter { $0.asciiLowercased != $0 } == Array(UInt8(ascii: "A")...UInt8(ascii: "Z")))
    #expect(UInt8(ascii: "Z").asciiLowercased == UInt8(ascii: "z"))
  }
}
