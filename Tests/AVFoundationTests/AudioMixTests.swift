import GstPlayer
import TestSupport
import Testing

@testable import AVFoundation

@Suite("Audio mixes")
struct AudioMixTests {
  private func seconds(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

  private func ramp(_ parameters: AVAudioMixInputParameters, at time: Double) -> (Float, Float, CMTimeRange)? {
    var (start, end, range): (Float, Float, CMTimeRange) = (-1, -1, .invalid)
    let isFound = unsafe parameters.getVolumeRamp(
      for: seconds(time), startVolume: &start, endVolume: &end, timeRange: &range)
    return isFound ? (start, end, range) : nil
  }

  /// The example of the documentation of `AVAudioMixInputParameters`.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avaudiomixinputparameters>
  @Test("A volume of 1 and a ramp from 0.5 to 0.2 in 4 s to 9 s hold the volume, jump, descend and hold")
  func example() throws {
    let parameters = AVMutableAudioMixInputParameters()
    parameters.setVolumeRamp(
      fromStartVolume: 0.5, toEndVolume: 0.2, timeRange: CMTimeRange(start: seconds(4), duration: seconds(5)))
    parameters.setVolume(1, at: .zero)
    #expect(ramp(parameters, at: -1) == nil)
    let first = try #require(ramp(parameters, at: 2))
    #expect(first == (1, 1, CMTimeRange(start: seconds(0), end: seconds(4))))
    let second = try #require(ramp(parameters, at: 4))
    #expect(second == (0.5, 0.2, CMTimeRange(start: seconds(4), end: seconds(9))))
    let last = try #require(ramp(parameters, at: 10))
    #expect(last == (0.2, 0.2, CMTimeRange(start: seconds(9), end: .positiveInfinity)))
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    let curve = try #require(mix.volumeCurve(ofTrack: 3))
    for (time, level) in [(0.0, 1.0), (3.9, 1), (4, 0.5), (6.5, 0.35), (9, 0.2), (20, 0.2)] {
      #expect(abs(curve.level(at: .seconds(time)) - level) < 1e-6)
    }
  }

  @Test("An item copies its mix, and parameters of a track are only for that track")
  func copies() throws {
    let parameters = AVMutableAudioMixInputParameters()
    parameters.trackID = 2
    parameters.setVolume(0.25, at: .zero)
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    let item = AVPlayerItem(url: URL(fileURLWithPath: Media.missing))
    #expect(item.audioMix == nil)
    item.audioMix = mix
    parameters.setVolume(1, at: .zero)
    mix.inputParameters = []
    let kept = try #require(item.audioMix)
    #expect(kept !== mix && kept.inputParameters.count == 1)
    #expect(kept.volumeCurve(ofTrack: 2)?.level(at: .zero) == 0.25 && kept.volumeCurve(ofTrack: 1) == nil)
    #expect((item.copy() as? AVPlayerItem)?.audioMix === kept)
    #expect(item.volumeCurve == nil, "the first track plays")
  }

  @Test("The mix of an item is audible", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func heard() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      let file = "filesink buffer-mode=unbuffered location=\(path) sync=true"
      let sink = "audioconvert ! audio/x-raw,format=S16LE,channels=2 ! \(file)"
      try await PlayerDefaults.$configuration.withValue(Player.Configuration(audioSink: sink)) {
        let parameters = AVMutableAudioMixInputParameters()
        parameters.setVolume(0, at: seconds(0.5))
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        let item = AVPlayerItem(url: try await sine(1))
        item.audioMix = mix
        let player = AVPlayer(playerItem: item)
        let record = Record()
        let observer = record.notifications(.AVPlayerItemDidPlayToEndTime, of: item, as: "end")
        player.play()
        try await record.first("end")
        NotificationCenter.default.removeObserver(observer)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let half = 22_050 * 4
        try #require(bytes.count == 2 * half)
        #expect(bytes[half...].allSatisfy { $0 == 0 } && bytes[(half - 400)..<half].contains { $0 != 0 })
      }
    }
  }
}
