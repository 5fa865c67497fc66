package import DBus
import TextCoding

/// The names of a served player on the bus.
package enum ServiceName {
  /// The longest element, so that a name with prefix and suffix is below the limit of 255 bytes.
  private static let longestElement = 128

  /// Derives an element of a bus name or of an object path from any text: `My Player` becomes `my_player`.
  ///
  /// Every character other than an ASCII letter or digit becomes an underscore; several become one.
  static func element(of text: some StringProtocol) -> String {
    let words = text.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }
    let element = String(
      words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_").prefix(longestElement))
    guard let first = element.utf8.first else { return "player" }
    // An element of a bus name must not start with a digit.
    return (first <= UInt8(ascii: "9") ? "_" : "") + element.lowercased()
  }

  /// Returns the name of the main instance, or of the instance of a process.
  package static func bus(_ name: String, processID: Int32? = nil) throws(DBusError) -> BusName {
    try BusName(MPRISService.busNamePrefix + name + (processID.map { ".instance\($0)" } ?? ""))
  }
}
