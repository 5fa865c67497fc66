package import Playback

/// Observes the devices of the sound server; only AVFAudio's `AVAudioSession` uses it.
package final class AudioDeviceWatch: Sendable {
  private let task: Task<Void, Never>

  /// Lists the devices once, and after each change; without a sound server, the first list is the only one.
  ///
  /// - Parameters:
  ///   - volume: Called with the volume of each device of PulseAudio, and after each change, on any thread: 1 is full volume, and 0
  ///     means muted.
  ///   - changed: Called with each list, on any thread.
  package init(
    volume: @escaping @Sendable (AudioOutput.ID, Double) -> Void = { _, _ in },
    _ changed: @escaping @Sendable ([AudioOutput]) -> Void
  ) {
    // Changes during a search lead to one more.
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    task = Task(executorPreference: globalConcurrentExecutor) {
      // The search loads the library of the sound server, which the observation needs.
      changed(await AudioOutput.all())
      let watch = SoundServerWatch(volume: volume) { event in
        switch event {
        case .listed, .added, .removed, .defaultChanged: continuation.yield()
        case .unplugged, .suspended, .resumed, .ended, .streamChanged, .streamConnected: break
        }
      }
      for await _ in changes { changed(await AudioOutput.all()) }
      withExtendedLifetime(watch) {}
    }
  }

  deinit { task.cancel() }
}
