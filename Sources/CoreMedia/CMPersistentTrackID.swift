// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The number of a track, unique in its media; 0 is invalid.
public typealias CMPersistentTrackID = Int32

/// The invalid number of a track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
