public import Foundation

extension AVMetadataItem {
  /// Returns the items with an identifier; a common identifier also selects the items with its common key.
  public static func metadataItems(
    from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] {
    let isCommon = keySpace(forIdentifier: identifier) == .common
    return metadataItems.filter {
      $0.identifier == identifier
        || isCommon && $0.commonKey.flatMap { Self.identifier(forKey: $0, keySpace: .common) } == identifier
    }
  }

  /// Returns the items with a key, in a key space; nil stands for all keys, and for all key spaces.
  ///
  /// The key is an ``AVMetadataKey`` or a string. In the common key space, the common keys of the items are compared.
  public static func metadataItems(
    from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
  ) -> [AVMetadataItem] {
    let wanted = key.flatMap { Self.text(ofKey: $0) }
    return metadataItems.filter { item in
      let isCommon = keySpace == .common
      guard isCommon ? item.commonKey != nil : keySpace == nil || item.keySpace == keySpace else { return false }
      let own = isCommon ? item.commonKey?.rawValue : item.key.flatMap { Self.text(ofKey: $0) }
      return key == nil || wanted != nil && own == wanted
    }
  }

  /// Returns the items of a locale.
  public static func metadataItems(from metadataItems: [AVMetadataItem], with locale: Locale) -> [AVMetadataItem] {
    metadataItems.filter { $0.locale == locale }
  }

  /// Returns the items in one of the languages, in the order of the languages; items without a language are left out.
  ///
  /// A language without a region also selects the items with one.
  public static func metadataItems(
    from metadataItems: [AVMetadataItem], filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
  ) -> [AVMetadataItem] {
    metadataItems.sorted(byPreferredLanguages: preferredLanguages, \.extendedLanguageTag)
  }

  // MARK: Identifiers

  /// Returns the identifier of a key in a key space; nil if the key is not an ``AVMetadataKey`` or a string.
  public static func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
    guard let text = text(ofKey: key) else { return nil }
    // The character © has the byte A9 in these formats; keys show it as @.
    let characters = text.hasPrefix("@") ? "%A9\(encoded(String(text.dropFirst())))" : encoded(text)
    return AVMetadataIdentifier("\(names[keySpace] ?? keySpace.rawValue)/\(characters)")
  }

  /// Returns the key space of an identifier; nil for an identifier without a key space.
  public static func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    let name = String(identifier.rawValue[..<slash])
    return names.first { $0.value == name }?.key ?? AVMetadataKeySpace(name)
  }

  /// Returns the key of an identifier, a string; nil for an identifier without a key.
  public static func key(forIdentifier identifier: AVMetadataIdentifier) -> (any NSCopying & NSObjectProtocol)? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    let characters = String(identifier.rawValue[identifier.rawValue.index(after: slash)...])
    guard !characters.isEmpty else { return nil }
    let text = characters.hasPrefix("%A9") ? "@\(characters.dropFirst(3))" : characters
    return NSString(string: text.removingPercentEncoding ?? text)
  }

  /// The names of key spaces that differ in identifiers.
  private static let names: [AVMetadataKeySpace: String] = [.common: "common", .id3: "id3"]

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(CharacterSet(charactersIn: "/")))
      ?? text
  }

  private static func text(ofKey key: Any) -> String? {
    (key as? AVMetadataKey)?.rawValue ?? key as? String ?? (key as? NSString)?._bridgeToSwift()
  }
}
