import CGst
import TextCoding

/// The header fields in which a station names itself: `icy-name`, `icy-genre` and others.
///
/// Their encoding is not declared. The source sends them as tags if they are UTF-8.
enum StationFields {
  /// Replaces the fields of a response that are not UTF-8 with their decoded text.
  static func decode(in message: UnsafeMutableRawPointer, _ soup: LibSoup) {
    for (name, value) in ResponseHead.takeFields("icy-") where String(validating: value, as: UTF8.self) == nil {
      unsafe soup.set(name, to: LegacyText.decoding.decode(value), in: .response, of: message)
    }
  }
}
