import CoreMedia
import Foundation
import GstPlayer

/// The fields of a metadata item.
struct MetadataFields: Sendable {
  var identifier: AVMetadataIdentifier?
  /// The key that all formats have in common; nil if there is none.
  var commonKey: AVMetadataKey?
  var value: MetadataValue?
  var dataType: String?
  var languageTag: String?
  var range: CMTimeRange?
  var startDate: Date?
  /// The description or the owner of an ID3 frame; nil for another item.
  var info: String?

  init() {}

  init(_ identifier: AVMetadataIdentifier?, _ commonKey: AVMetadataKey?, _ value: MetadataValue) {
    (self.identifier, self.commonKey, self.value) = (identifier, commonKey, value)
    dataType = value.dataType
  }

  /// Returns the item with a title, or none without one.
  static func title(_ title: String?) -> [Self] {
    title.map { [Self(.commonIdentifierTitle, .commonKeyTitle, .string($0))] } ?? []
  }
}

/// The value of a metadata item: a string, number, date or bytes.
struct MetadataValue: @unchecked Sendable {  // the object is a private copy
  let object: any NSCopying & NSObjectProtocol

  /// Copies a value.
  init?(_ object: (any NSCopying & NSObjectProtocol)?) {
    guard let copy = object?.copy(with: nil) as? any NSCopying & NSObjectProtocol else { return nil }
    self.object = copy
  }

  private init(owned object: any NSCopying & NSObjectProtocol) { self.object = object }

  static func string(_ text: String) -> Self { Self(owned: NSString(string: text)) }
  static func number(_ number: Int) -> Self { Self(owned: NSNumber(value: number)) }
  static func number(_ number: Double) -> Self { Self(owned: NSNumber(value: number)) }
  static func data(_ bytes: [UInt8]) -> Self { Self(owned: NSData(data: Data(bytes))) }

  private var text: String? { (object as? NSString)?._bridgeToSwift() }
  var string: String? { text ?? (object as? NSNumber)?.stringValue }

  var number: NSNumber? {
    if let number = object as? NSNumber { return number }
    guard let text else { return nil }
    if let number = Int(text) { return NSNumber(value: number) }
    return Double(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
  }

  var data: Data? { (object as? NSData)?._bridgeToSwift() ?? text.map { Data($0.utf8) } }

  /// The date, also of a text in ISO 8601; a year or a month begins with its first day, in UTC.
  var date: Date? {
    if let date = object as? NSDate { return date._bridgeToSwift() }
    guard let text else { return nil }
    if let date = try? Date(text, strategy: .iso8601) { return date }
    guard let match = text.wholeMatch(of: /(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/)?.output,
      let utc = TimeZone(secondsFromGMT: 0)
    else { return nil }
    let components = DateComponents(
      calendar: Calendar(identifier: .gregorian), timeZone: utc, year: Int(match.1),
      month: match.2.flatMap { Int($0) } ?? 1, day: match.3.flatMap { Int($0) } ?? 1)
    return components.isValidDate ? components.date : nil
  }

  /// The name of the type, for `AVMetadataItem.dataType`.
  var dataType: String? {
    switch object {
    case is NSString: "com.apple.metadata.datatype.UTF-8"
    case is NSNumber: "com.apple.metadata.datatype.float64"
    case let data as NSData:
      data.starts(with: [0x89, 0x50, 0x4e, 0x47])
        ? "com.apple.metadata.datatype.PNG"
        : data.starts(with: [0xff, 0xd8]) ? "com.apple.metadata.datatype.JPEG" : "com.apple.metadata.datatype.raw-data"
    default: nil
    }
  }
}
