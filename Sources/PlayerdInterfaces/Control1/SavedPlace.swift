/// A place at which the user left a long file or a book: a row of `org.playerd.Control1.GetPlaces`.
///
/// Times are microseconds.
package struct SavedPlace: Equatable, Sendable {
  /// The URI of the file, with a media fragment for a part of it.
  package var uri = ""
  /// The URI of the folder of the book that continues there; nil if only the file does.
  package var folder: String?
  package var position: Int64?
  /// Nil while unknown.
  package var duration: Int64?
  /// The time since it was left; nil if unknown.
  package var age: Int64?

  package init() {}
}

extension SavedPlace: ValueRecord {
  package static let fields: [ValueField<Self>] = [
    .init("uri", \.uri), .init("folder", \.folder), .init("position", \.position, isTime: true),
    .init("duration", \.duration, isTime: true), .init("age", \.age, isTime: true),
  ]
}
