public import CoreMedia
public import Foundation
import Synchronization

/// A piece of metadata: an identifier and a value.
///
/// Safe to use from any isolation: a lock guards the fields.
///
/// <https://developer.apple.com/documentation/avfoundation/avmetadataitem>
open class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, AVAsynchronousKeyValueLoading {
  private let fields: Mutex<MetadataFields>
  /// Loads the value; nil for an item that is made with it.
  let loader: MetadataValueLoader?

  /// Makes an empty item.
  public override init() {
    fields = Mutex(MetadataFields())
    loader = nil
  }

  init(_ fields: MetadataFields) {
    self.fields = Mutex(fields)
    loader = nil
  }

  /// Makes an item with the fields of another one, whose value is loaded when it is needed.
  ///
  /// The first call that loads the value calls the handler with a request. Until the response, ``value`` is nil.
  @preconcurrency
  public init(
    propertiesOf metadataItem: AVMetadataItem,
    valueLoadingHandler handler: @escaping @Sendable (AVMetadataItemValueRequest) -> Void
  ) {
    var fields = metadataItem.read { $0 }
    (fields.value, fields.dataType) = (nil, nil)
    self.fields = Mutex(fields)
    loader = MetadataValueLoader(handler)
  }

  final func read<Value: Sendable>(_ value: (MetadataFields) -> Value) -> Value { fields.withLock { value($0) } }
  final func write(_ change: (inout MetadataFields) -> Void) { fields.withLock { change(&$0) } }

  /// Returns an item with the same fields; the item itself if its value is loaded when it is needed.
  open func copy(with zone: NSZone? = nil) -> Any { loader == nil ? AVMetadataItem(read { $0 }) : self }

  /// Returns an ``AVMutableMetadataItem`` with the same fields.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMetadataItem(read { $0 }) }

  // MARK: Identification

  /// The key space and the key; nil without a key.
  open var identifier: AVMetadataIdentifier? { read(\.identifier).flatMap { $0.rawValue.hasSuffix("/") ? nil : $0 } }
  /// The key in its key space, a string.
  open var key: (any NSCopying & NSObjectProtocol)? { identifier.flatMap { Self.key(forIdentifier: $0) } }
  /// The key space of the key.
  open var keySpace: AVMetadataKeySpace? { read(\.identifier).flatMap { Self.keySpace(forIdentifier: $0) } }
  /// The key that the item has in all formats; nil if there is none.
  open var commonKey: AVMetadataKey? { read(\.commonKey) }

  // MARK: Value

  /// The value: a string, number, date or bytes.
  open var value: (any NSCopying & NSObjectProtocol)? { read(\.value)?.object }
  /// The value as a string; nil if it is not text or a number.
  open var stringValue: String? { read(\.value)?.string }
  /// The value as a number; nil if it is not a number, also as text.
  open var numberValue: NSNumber? { read(\.value)?.number }
  /// The value as a date; nil if it is not a date, also as text in ISO 8601.
  open var dateValue: Date? { read(\.value)?.date }
  /// The bytes of the value; nil for a number or a date.
  open var dataValue: Data? { read(\.value)?.data }
  /// The type of the value, such as `com.apple.metadata.datatype.UTF-8`.
  open var dataType: String? { read(\.dataType) }
  /// Further attributes: `info`, the description or the owner of a frame of timed ID3 metadata; nil for another item.
  open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { read(\.info).map { [.info: $0] } }

  // MARK: Language and time

  /// The language, BCP 47; nil if it is unknown.
  open var extendedLanguageTag: String? { read(\.languageTag) }
  /// The locale of the language; nil if it is unknown.
  open var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }
  /// The time in the media; `invalid` for the whole media.
  open var time: CMTime { read(\.range)?.start ?? .invalid }
  /// The duration in the media; `invalid` for the whole media.
  open var duration: CMTime { read(\.range)?.duration ?? .invalid }
  /// The date at which the item begins; nil if it is unknown.
  open var startDate: Date? { read(\.startDate) }

  // MARK: AVAsynchronousKeyValueLoading

  /// Returns the state of the value; `loaded` for an item that is made with it.
  open func statusOfValue(
    forKey key: String, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVKeyValueStatus {
    guard let (status, error) = loader?.status else { return .loaded }
    if let error { unsafe outError?.pointee = error }
    return status
  }

  /// Loads the value, and calls `handler` on any thread; at once for an item that is made with it.
  open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
    guard let loader else { return handler?() ?? () }
    loader.load(self) { handler?() }
  }
}

extension AVMetadataItem: @unchecked Sendable {}  // `fields` is a lock

/// The name of a further attribute of a metadata item.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The description or the owner of a frame, a string.
  public static let info = Self(rawValue: "info")
}

/// A metadata item of the program, for `AVPlayerItem.externalMetadata`.
///
/// <https://developer.apple.com/documentation/avfoundation/avmutablemetadataitem>
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {  // the fields of the superclass have a lock
  /// The key space and the key; nil without a key.
  open override var identifier: AVMetadataIdentifier? {
    get { super.identifier }
    set {
      write { fields in
        fields.identifier = newValue
        fields.commonKey = newValue.flatMap { MetadataTag.commonKey(of: $0) }
      }
    }
  }
  /// The key in its key space; in the common one unless ``keySpace`` is set before.
  open override var key: (any NSCopying & NSObjectProtocol)? {
    get { super.key }
    set {
      let space = keySpace ?? .common
      identifier = newValue.flatMap { Self.identifier(forKey: $0, keySpace: space) }
    }
  }
  /// The key space of the key.
  open override var keySpace: AVMetadataKeySpace? {
    get { super.keySpace }
    set {
      let text = (key as? NSString)?._bridgeToSwift() ?? ""
      identifier = newValue.flatMap { Self.identifier(forKey: text, keySpace: $0) }
    }
  }
  /// The value: a string, number, date or bytes; copied when it is set.
  open override var value: (any NSCopying & NSObjectProtocol)? {
    get { super.value }
    set {
      let copy = MetadataValue(newValue)
      write { fields in
        fields.value = copy
        fields.dataType = copy?.dataType
      }
    }
  }
  /// The type of the value.
  open override var dataType: String? {
    get { super.dataType }
    set { write { $0.dataType = newValue } }
  }
  /// The language, BCP 47.
  open override var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set { write { $0.languageTag = newValue } }
  }
  /// The locale of the language.
  open override var locale: Locale? {
    get { super.locale }
    set { extendedLanguageTag = newValue?.identifier(.bcp47) }
  }
  /// The time in the media.
  open override var time: CMTime {
    get { super.time }
    set { write { $0.range = CMTimeRange(start: newValue, duration: $0.range?.duration ?? .invalid) } }
  }
  /// The duration in the media.
  open override var duration: CMTime {
    get { super.duration }
    set { write { $0.range = CMTimeRange(start: $0.range?.start ?? .invalid, duration: newValue) } }
  }
  /// The date at which the item begins.
  open override var startDate: Date? {
    get { super.startDate }
    set { write { $0.startDate = newValue } }
  }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
  /// The value: a string, number, date or bytes.
  public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> { .init(ofValue: { $0.value }) }
  /// The value as a string; nil if it is not text or a number.
  public static var stringValue: AVAsyncProperty<Root, String?> { .init(ofValue: { $0.stringValue }) }
  /// The value as a number; nil if it is not a number, also as text.
  public static var numberValue: AVAsyncProperty<Root, NSNumber?> { .init(ofValue: { $0.numberValue }) }
  /// The value as a date; nil if it is not a date, also as text in ISO 8601.
  public static var dateValue: AVAsyncProperty<Root, Date?> { .init(ofValue: { $0.dateValue }) }
  /// The bytes of the value; nil for a number or a date.
  public static var dataValue: AVAsyncProperty<Root, Data?> { .init(ofValue: { $0.dataValue }) }
  /// Further attributes of a frame of timed ID3 metadata.
  public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
    .init(known: { $0.extraAttributes })
  }
}
