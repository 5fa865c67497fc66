// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The number of a track, which is unique in its media; 0 is no track.
public typealias CMPersistentTrackID = Int32

/// The number of no track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
