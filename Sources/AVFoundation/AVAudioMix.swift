public import CoreMedia
public import Foundation
import GstPlayer
import Synchronization

/// The volume of audio tracks over the time of an item.
///
/// <https://developer.apple.com/documentation/avfoundation/avaudiomix>
open class AVAudioMix: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {  // `parameters` is a lock
  fileprivate let parameters = Mutex<[AVAudioMixInputParameters]>([])

  /// The parameters of the tracks; a track without parameters has the volume 1.
  open var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

  /// Creates a mix without parameters.
  public override init() {}

  /// Returns a mix with copies of the parameters.
  open func copy(with zone: NSZone? = nil) -> Any { replica(AVAudioMix()) }

  /// Returns an ``AVMutableAudioMix`` with copies of the parameters.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { replica(AVMutableAudioMix()) }

  fileprivate func replica(_ mix: AVAudioMix) -> AVAudioMix {
    let copies = inputParameters.map { $0.replica(AVAudioMixInputParameters()) }
    mix.parameters.withLock { $0 = copies }
    return mix
  }

  /// Returns the volume of a track; nil if it is constantly 1.
  func volumeCurve(ofTrack track: CMPersistentTrackID) -> VolumeCurve? {
    let parameters = inputParameters
    let found =
      parameters.first { $0.trackID == track } ?? parameters.first { $0.trackID == kCMPersistentTrackID_Invalid }
    return found?.volumeCurve
  }
}

/// A mix whose parameters can be changed, until it is set on an item, which copies it.
///
/// <https://developer.apple.com/documentation/avfoundation/avmutableaudiomix>
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {  // as its superclass
  /// The parameters of the tracks; a track without parameters has the volume 1.
  open override var inputParameters: [AVAudioMixInputParameters] {
    get { parameters.withLock { $0 } }
    set { parameters.withLock { $0 = newValue } }
  }
}

/// The volume of an audio track over the time of an item.
///
/// Before the first time at which a volume is set, it is 1. After a ramp, its last volume applies until the next one.
///
/// <https://developer.apple.com/documentation/avfoundation/avaudiomixinputparameters>
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {  // `state` is a lock
  fileprivate struct State {
    var track = kCMPersistentTrackID_Invalid
    var pitch: AVAudioTimePitchAlgorithm?
    var ramps: [VolumeCurve.Ramp] = []
  }

  fileprivate let state = Mutex(State())

  /// Creates parameters without a volume.
  public override init() {}

  /// The number of the track; with ``kCMPersistentTrackID_Invalid``, each track to which no other parameters apply.
  open var trackID: CMPersistentTrackID { state.withLock { $0.track } }

  /// The algorithm for other rates; only stored, because the item's algorithm applies.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { state.withLock { $0.pitch } }

  /// Returns the ramp that applies at a time; a constant volume is a ramp from a volume to the same one.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - startVolume: Receives the volume at the start.
  ///   - endVolume: Receives the volume at the end.
  ///   - timeRange: Receives the range of the ramp; the range of the last volume is unlimited.
  /// - Returns: False before the first time at which a volume is set, and for a time that is not numeric.
  open func getVolumeRamp(
    for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    let curve = VolumeCurve(state.withLock { $0.ramps })
    guard let time = time.duration, let ramp = curve.ramp(at: time) else { return false }
    let next = curve.ramps.first { $0.start > ramp.start }?.start
    let isConstant = time >= ramp.end
    unsafe startVolume?.pointee = Float(isConstant ? ramp.to : ramp.from)
    unsafe endVolume?.pointee = Float(ramp.to)
    let end = isConstant ? next.map { CMTime($0) } ?? .positiveInfinity : CMTime(min(ramp.end, next ?? ramp.end))
    unsafe timeRange?.pointee = CMTimeRange(start: CMTime(isConstant ? ramp.end : ramp.start), end: end)
    return true
  }

  /// Returns a copy.
  open func copy(with zone: NSZone? = nil) -> Any { replica(AVAudioMixInputParameters()) }

  /// Returns a copy that can be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { replica(AVMutableAudioMixInputParameters()) }

  fileprivate func replica(_ parameters: AVAudioMixInputParameters) -> AVAudioMixInputParameters {
    let state = state.withLock { $0 }
    parameters.state.withLock { $0 = state }
    return parameters
  }

  fileprivate var volumeCurve: VolumeCurve? {
    let ramps = state.withLock { $0.ramps }
    return ramps.isEmpty ? nil : VolumeCurve(ramps)
  }
}

/// The volume of an audio track, which can be changed until the mix is set on an item.
///
/// <https://developer.apple.com/documentation/avfoundation/avmutableaudiomixinputparameters>
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {  // as its superclass
  /// Creates parameters for each track.
  public override init() { super.init() }

  /// Creates parameters for a track; nil for each.
  public convenience init(track: AVAssetTrack?) {
    self.init()
    trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
  }

  /// The number of the track; with ``kCMPersistentTrackID_Invalid``, each track to which no other parameters apply.
  open override var trackID: CMPersistentTrackID {
    get { state.withLock { $0.track } }
    set { state.withLock { $0.track = newValue } }
  }

  /// The algorithm for other rates; only stored, because the item's algorithm applies.
  open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    get { state.withLock { $0.pitch } }
    set { state.withLock { $0.pitch = newValue } }
  }

  /// Sets the volume from a time on, 0 to 1; a time that is not numeric is ignored.
  open func setVolume(_ volume: Float, at time: CMTime) {
    setVolumeRamp(fromStartVolume: volume, toEndVolume: volume, timeRange: CMTimeRange(start: time, duration: .zero))
  }

  /// Changes the volume linearly in a range, 0 to 1; a range that is not numeric is ignored, and so is a volume that is not
  /// finite.
  open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
    guard let start = timeRange.start.duration, let end = timeRange.end.duration, end >= start, startVolume.isFinite,
      endVolume.isFinite
    else { return }
    let volumes = [startVolume, endVolume].map { Double(min(max(0, $0), 1)) }
    state.withLock { $0.ramps.append(VolumeCurve.Ramp(from: volumes[0], to: volumes[1], start: start, end: end)) }
  }
}

extension AVPlayerItem {
  /// The volume of the track that plays; nil if it is constantly 1.
  nonisolated var volumeCurve: VolumeCurve? {
    let (mix, selected) = state.withLock { ($0.audioMix, $0.selectedTrack) }
    guard let mix else { return nil }
    return mix.volumeCurve(ofTrack: CMPersistentTrackID(clamping: 1 + (selected ?? facts?.audioTrackIndex ?? 0)))
  }
}

extension AVPlayer {
  /// Sends the volume of an item to the player.
  nonisolated func shapeVolume(of item: AVPlayerItem) {
    let ids = state.withLock { state in state.entries.filter { $0.item === item }.map(\.id) }
    let curve = item.volumeCurve
    for id in ids { player.setVolumeCurve(curve, of: id) }
  }
}
