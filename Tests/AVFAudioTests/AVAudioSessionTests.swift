import DBus
import Glibc
import GstPlayer
import Synchronization
import TestSupport
import Testing

@testable import AVFAudio

/// Tests of the audio session.
@MainActor
@Suite struct AVAudioSessionTests {
  /// Records the notifications of a session.
  private func record(
    _ name: Notification.Name, of session: AVAudioSession, keys: [String]
  ) -> (EventLog<[UInt?]>, any NSObjectProtocol) {
    let log = EventLog<[UInt?]>()
    let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { notification in
      log.append(keys.map { notification.userInfo?[$0] as? UInt })
    }
    return (log, token)
  }

  @Test("Categories, modes, options and activations are accepted and stored")
  func category() throws {
    let session = AVAudioSession(activity: PlaybackActivity())
    #expect(session.category == .soloAmbient && session.mode == .default && session.categoryOptions == [])
    try session.setCategory(.playback, mode: .spokenAudio, policy: .longFormAudio, options: [.allowAirPlay])
    try session.setActive(true)
    #expect(session.category == .playback && session.mode == .spokenAudio)
    #expect(session.routeSharingPolicy == .longFormAudio && session.categoryOptions == .allowAirPlay)
    try session.setCategory(.ambient)
    #expect(session.category == .ambient && session.mode == .spokenAudio)
    try session.setPreferredSampleRate(96_000)
    #expect(session.sampleRate == 96_000)
    #expect(session.currentRoute.outputs.isEmpty && session.currentRoute.inputs.isEmpty)
    try session.setActive(false, options: .notifyOthersOnDeactivation)
  }

  @Test("Before the machine is suspended players pause and an interruption begins; it ends when the machine wakes up")
  func sleep() async throws {
    let activity = PlaybackActivity()
    let session = AVAudioSession(activity: activity)
    let keys = [AVAudioSessionInterruptionTypeKey, AVAudioSessionInterruptionOptionKey]
    let (log, token) = record(AVAudioSession.interruptionNotification, of: session, keys: keys)
    let paused = EventLog<Bool>()
    let object = NSObject()
    let player = ObjectIdentifier(object)
    activity.add(player, plays: true) {
      paused.append(true)
      activity.remove(player)
    }
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "login")
      defer { loop.stop() }
      let login = try await LoginMock(on: bus, loop)
      session.observe(systemBus: { [address = bus.address] in address })
      let lock = LoginMock.News.taken("sleep", "delay")
      try await login.news.first("the delay lock", within: 30) { $0 == lock }
      try await login.tell("PrepareForSleep", true)
      let released = try await login.news.first("the lock is released", within: 30) { $0 == .released("sleep") }
      // The machine is suspended only when the players are paused and the program knows it.
      #expect(paused.count == 1)
      #expect(log.elements == [[AVAudioSession.InterruptionType.began.rawValue, nil]])
      try await login.tell("PrepareForSleep", false)
      try await login.news.first("the next lock", from: released.index, within: 30) { $0 == lock }
      let resume = AVAudioSession.InterruptionOptions.shouldResume.rawValue
      #expect(log.elements.last == [AVAudioSession.InterruptionType.ended.rawValue, resume])
      // Without a player that played, there is nothing to resume.
      try await login.tell("PrepareForSleep", true)
      try await login.tell("PrepareForSleep", false)
      try await log.first("the second end", from: 2, within: 30) {
        $0 == [AVAudioSession.InterruptionType.ended.rawValue, 0]
      }
      session.state.withLock { ($0.sleepWatch, $0.deviceWatch) = (nil, nil) }
    }
    NotificationCenter.default.removeObserver(token)
  }

  private func output(_ id: String, isDefault: Bool = false) -> AudioOutput {
    AudioOutput(id: id, name: "The \(id)", isDefault: isDefault, sinkDescription: "fakesink")
  }

  @Test("A removed output, a new one and the selection of another one are different reasons for a change of the route")
  func reasons() {
    let (phones, speaker) = (output("headphones", isDefault: true), output("pci", isDefault: true))
    let (oldPhones, oldSpeaker) = (output("headphones"), output("pci"))
    #expect([speaker].reason(since: [phones, oldSpeaker]) == .oldDeviceUnavailable)
    #expect([oldSpeaker].reason(since: [phones, oldSpeaker]) == .oldDeviceUnavailable)
    #expect([AudioOutput]().reason(since: [phones]) == .oldDeviceUnavailable)
    #expect([phones, oldSpeaker].reason(since: [speaker]) == .newDeviceAvailable)
    #expect([speaker].reason(since: []) == .newDeviceAvailable)
    #expect([oldPhones, speaker].reason(since: [phones, oldSpeaker]) == .override)
    // Another device does not change the route.
    #expect([speaker].reason(since: [oldPhones, speaker]) == nil)
    #expect([oldPhones, speaker].reason(since: [speaker]) == nil)
    #expect([AudioOutput]().reason(since: []) == nil)
  }

  @Test("The kind of an output follows from the name of its device")
  func ports() {
    let ids = [
      "bluez_output.00_11.1", "alsa_output.pci-0000.hdmi-stereo", "alsa_output.usb-Focusrite", "auto_null",
      "alsa_output.pci-0000.analog-stereo",
    ]
    let kinds = ids.map { AVAudioSessionPortDescription(output($0)).portType }
    #expect(kinds == [.bluetoothA2DP, .HDMI, .usbAudio, .virtual, .builtInSpeaker])
  }

  @Test(
    "A removed output of a sound server posts a change of the route with the previous one",
    .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "\(PulseServer.unavailable)"))
  func removal() async throws {
    try await withPulseServer { server in
      // libpulse reads the server address from the environment, which is shared by the whole process.
      await #expect(processExitsWith: .success) { [environment = server.environment as [String: String]] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        let loaded = try await run(
          ["pactl", "load-module", "module-null-sink", "sink_name=headphones"], environment: environment)
        try #require(loaded.succeeded, "\(loaded.error)")
        _ = try await run(["pactl", "set-default-sink", "headphones"], environment: environment)
        let session = AVAudioSession(activity: PlaybackActivity())
        let routes = EventLog<[String?]>()
        let token = NotificationCenter.default.addObserver(
          forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
        ) { notification in
          let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
          let old =
            notification.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
          routes.append([reason.map { "\($0)" }, old?.outputs.first?.uid, session.currentRoute.outputs.first?.uid])
        }
        let listed = EventLog<[String]>()
        let watch = AudioDeviceWatch { outputs in
          session.outputsChanged(to: outputs)
          listed.append(outputs.filter(\.isDefault).map(\.id))
        }
        // The second list follows the first one when the observation has begun.
        try await listed.first("the observation", from: 1, within: 30) { $0 == ["headphones"] }
        let module = loaded.output.filter(\.isNumber)
        _ = try await run(["pactl", "unload-module", String(module)], environment: environment)
        let route = try await routes.first("the change", within: 30) { _ in true }
        #expect(route.element == ["2", "headphones", "null"])
        withExtendedLifetime(watch) {}
        NotificationCenter.default.removeObserver(token)
      }
    }
  }

  @Test(
    "The volume of the session is that of the default output, and follows the mixer",
    .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "\(PulseServer.unavailable)"))
  func volume() async throws {
    try await withPulseServer { server in
      await #expect(processExitsWith: .success) { [environment = server.environment as [String: String]] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        let session = AVAudioSession(activity: PlaybackActivity())
        let volumes = EventLog<Double>()
        let watch = AudioDeviceWatch(volume: { id, volume in
          session.volumeChanged(of: id, to: volume)
          if id == "null" { volumes.append(volume) }
        }) { session.outputsChanged(to: $0) }
        try await volumes.first("the initial volume", within: 30) { $0 == 1 }
        #expect(session.outputVolume == 1)
        _ = try await run(["pactl", "set-sink-volume", "null", "50%"], environment: environment)
        try await volumes.first("the volume", within: 30) { abs($0 - 0.5) < 0.001 }
        #expect(abs(session.outputVolume - 0.5) < 0.001)
        _ = try await run(["pactl", "set-sink-mute", "null", "1"], environment: environment)
        try await volumes.first("silence", within: 30) { $0 == 0 }
        #expect(session.outputVolume == 0)
        withExtendedLifetime(watch) {}
      }
    }
  }

  @Test("The volume is from 0 to 1, and 1 until it is known; channels have the label of their side")
  func limits() {
    let session = AVAudioSession(activity: PlaybackActivity())
    #expect(session.outputVolume == 1)
    session.volumeChanged(of: "loud", to: 1.5)
    session.outputsChanged(to: [output("loud", isDefault: true)])
    #expect(session.outputVolume == 1)
    session.volumeChanged(of: "loud", to: 0.25)
    #expect(session.outputVolume == 0.25)
    let channels = session.currentRoute.outputs.first?.channels ?? []
    #expect(channels.map(\.channelLabel) == [1, 2] && channels.map(\.owningPortUID) == ["loud", "loud"])
    #expect(channels.map(\.channelName) == ["The loud 1", "The loud 2"] && channels.first != channels.last)
  }

  @Test("Settings of the session are stored, and recording is denied")
  func settings() async throws {
    let session = AVAudioSession(activity: PlaybackActivity())
    try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
    try session.setPrefersNoInterruptionsFromSystemAlerts(true)
    try session.setSupportsMultichannelContent(true)
    try session.setPreferredOutputNumberOfChannels(6)
    #expect(session.allowHapticsAndSystemSoundsDuringRecording && session.prefersNoInterruptionsFromSystemAlerts)
    #expect(session.supportsMultichannelContent && session.preferredOutputNumberOfChannels == 6)
    let isGranted = await withCheckedContinuation { result in
      session.requestRecordPermission { result.resume(returning: $0) }
    }
    #expect(!isGranted && session.recordPermission == .denied && session.availableInputs == nil)
  }
}
