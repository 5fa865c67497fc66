import AVFoundation
import Playback
import TestSupport
import Testing

@testable import AVFAudio

/// Tests of the volume of the audio session as an observable property.
@MainActor
@Suite("The observed volume of the session") struct SessionVolumeTests {
  private final class Observer: AVKeyValueObserver {
    let values = EventLog<Float?>()

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      values.append((change?[.newKey] as? NSNumber)?.floatValue)
    }
  }

  @Test("Observers by key path and by name receive changes of the volume, and of the output that has another one")
  func changes() async throws {
    let session = AVAudioSession(activity: PlaybackActivity())
    let (observer, values) = (Observer(), EventLog<Float?>())
    unsafe session.addObserver(observer, forKeyPath: "outputVolume", options: [.new, .initial], context: nil)
    let observation = session.observe(\.outputVolume, options: [.new]) { _, change in values.append(change.newValue) }
    let outputs = ["a", "b"].map { id in
      AudioOutput(id: id, name: id, isDefault: id == "a", sinkDescription: "fakesink")
    }
    session.outputsChanged(to: outputs)
    session.volumeChanged(of: "b", to: 0.75)
    session.volumeChanged(of: "a", to: 0.5)
    try await values.first("the volume", within: 30) { $0 == 0.5 }
    session.outputsChanged(to: [outputs[1]])
    try await values.first("the volume of the other output", within: 30) { $0 == 0.75 }
    #expect(values.elements == [0.5, 0.75])
    #expect(observer.values.elements == [1, 0.5, 0.75])
    observation.invalidate()
    session.removeObserver(observer, forKeyPath: "outputVolume")
    session.volumeChanged(of: "b", to: 0.1)
    #expect(values.count == 2)
  }
}
