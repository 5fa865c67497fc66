public import Foundation

/// An audio track that a program can select for playback; immutable.
///
/// <https://developer.apple.com/documentation/avfoundation/avmediaselectionoption>
open class AVMediaSelectionOption: NSObject, @unchecked Sendable {  // immutable
  /// The index of the track in the audio tracks of the media.
  let index: Int
  private let track: AVAssetTrack

  init(_ track: AVAssetTrack, index: Int) {
    self.track = track
    self.index = index
  }

  /// The type of the media, always audio.
  open var mediaType: AVMediaType { track.mediaType }
  /// The language, BCP 47, such as `de`; nil if it is unknown.
  open var extendedLanguageTag: String? { track.extendedLanguageTag }
  /// The locale of the language; nil if it is unknown.
  open var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }
  /// The metadata of the track, such as its title.
  open var commonMetadata: [AVMetadataItem] { track.commonMetadata }
  /// Whether the track can be played.
  open var isPlayable: Bool { track.isPlayable }
  /// The name of the track for users, in the language of the system.
  open var displayName: String { displayName(with: .current) }

  /// Returns the name of the track for users: its title, its language, or its number.
  open func displayName(with locale: Locale) -> String {
    if let title = commonMetadata.first?.stringValue { return title }
    return extendedLanguageTag.map { locale.localizedString(forIdentifier: $0) ?? $0 } ?? "\(index + 1)"
  }

  /// Whether the track has a characteristic.
  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    track.hasMediaCharacteristic(mediaCharacteristic)
  }

  /// Whether two options are of the same track of equal media.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVMediaSelectionOption else { return false }
    return other.index == index && other.extendedLanguageTag == extendedLanguageTag
      && other.track.timeRange == track.timeRange
  }

  /// The hash of the number of the track.
  open override var hash: Int { index.hashValue }
}

/// The audio tracks of media, one of them playing; immutable.
///
/// <https://developer.apple.com/documentation/avfoundation/avmediaselectiongroup>
open class AVMediaSelectionGroup: NSObject, @unchecked Sendable {  // immutable
  /// The tracks, in the order of the media.
  open private(set) var options: [AVMediaSelectionOption]

  init(_ options: [AVMediaSelectionOption]) { self.options = options }

  /// The track that plays without a selection: the first one.
  open var defaultOption: AVMediaSelectionOption? { options.first }
  /// Whether no track may be selected; always false.
  open var allowsEmptySelection: Bool { false }

  /// Returns the options of a locale.
  open class func mediaSelectionOptions(
    from mediaSelectionOptions: [AVMediaSelectionOption], with locale: Locale
  ) -> [AVMediaSelectionOption] {
    mediaSelectionOptions.filter { $0.locale == locale }
  }

  /// Returns the options in one of the languages, in the order of the languages.
  ///
  /// A language without a region also selects the options with one.
  open class func mediaSelectionOptions(
    from mediaSelectionOptions: [AVMediaSelectionOption],
    filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
  ) -> [AVMediaSelectionOption] {
    mediaSelectionOptions.sorted(byPreferredLanguages: preferredLanguages, \.extendedLanguageTag)
  }

  /// Returns the options with all characteristics.
  open class func mediaSelectionOptions(
    from mediaSelectionOptions: [AVMediaSelectionOption],
    withMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
  ) -> [AVMediaSelectionOption] {
    mediaSelectionOptions.filter { option in mediaCharacteristics.allSatisfy { option.hasMediaCharacteristic($0) } }
  }

  /// Returns the options without any of the characteristics.
  open class func mediaSelectionOptions(
    from mediaSelectionOptions: [AVMediaSelectionOption],
    withoutMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
  ) -> [AVMediaSelectionOption] {
    mediaSelectionOptions.filter { option in !mediaCharacteristics.contains { option.hasMediaCharacteristic($0) } }
  }

  /// Returns the options that can be played.
  open class func playableMediaSelectionOptions(
    from mediaSelectionOptions: [AVMediaSelectionOption]
  ) -> [AVMediaSelectionOption] {
    mediaSelectionOptions.filter(\.isPlayable)
  }

  /// Whether two groups have equal options.
  open override func isEqual(_ object: Any?) -> Bool { (object as? AVMediaSelectionGroup)?.options == options }

  /// The hash of the number of options.
  open override var hash: Int { options.count }
}

/// The options that are selected in the groups of an asset; immutable.
///
/// <https://developer.apple.com/documentation/avfoundation/avmediaselection>
open class AVMediaSelection: NSObject, @unchecked Sendable {  // immutable
  /// The asset; nil after it was released.
  open private(set) weak var asset: AVAsset?
  private let index: Int?

  init(_ index: Int?, of asset: AVAsset) {
    self.asset = asset
    self.index = index
  }

  /// Returns the option of a group that is selected; nil until it is known.
  open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
    mediaSelectionGroup.options.first { $0.index == index }
  }

  /// Whether two selections are of the same options.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVMediaSelection else { return false }
    return other.asset === asset && other.index == index
  }

  /// The hash of the selected option.
  open override var hash: Int { index.hashValue }
}

/// The languages by which a player selects a track.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayermediaselectioncriteria>
open class AVPlayerMediaSelectionCriteria: NSObject, @unchecked Sendable {  // immutable
  /// The preferred languages, the most preferred first; nil for none.
  open private(set) var preferredLanguages: [String]?
  /// The preferred characteristics; only stored.
  open private(set) var preferredMediaCharacteristics: [AVMediaCharacteristic]?
  /// The essential characteristics; only stored.
  open private(set) var principalMediaCharacteristics: [AVMediaCharacteristic]?

  /// Creates criteria.
  public convenience init(
    preferredLanguages: [String]?, preferredMediaCharacteristics: [AVMediaCharacteristic]?
  ) {
    self.init(
      principalMediaCharacteristics: nil, preferredLanguages: preferredLanguages,
      preferredMediaCharacteristics: preferredMediaCharacteristics)
  }

  /// Creates criteria with essential characteristics.
  public init(
    principalMediaCharacteristics: [AVMediaCharacteristic]?, preferredLanguages: [String]?,
    preferredMediaCharacteristics: [AVMediaCharacteristic]?
  ) {
    self.principalMediaCharacteristics = principalMediaCharacteristics
    self.preferredLanguages = preferredLanguages
    self.preferredMediaCharacteristics = preferredMediaCharacteristics
  }
}

extension Sequence {
  /// Returns the elements in one of the languages, in the order of the languages; those without a language are left out.
  func sorted(byPreferredLanguages languages: [String], _ tag: (Element) -> String?) -> [Element] {
    var (left, sorted) = (Array(self), [Element]())
    for language in languages {
      let isWanted = { (element: Element) in
        guard let tag = tag(element)?.lowercased() else { return false }
        return tag == language.lowercased() || tag.hasPrefix("\(language.lowercased())-")
      }
      sorted += left.filter(isWanted)
      left.removeAll(where: isWanted)
    }
    return sorted
  }
}
