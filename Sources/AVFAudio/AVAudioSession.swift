public import Foundation
import GstPlayer
import Synchronization

/// The audio session of the program: its settings, its output, and the interruptions of its playback.
///
/// Linux does not have audio sessions: players need none, and play at the same time as other programs. A category and an
/// activation are accepted and stored. Routes and interruptions are observed from the first call of ``sharedInstance()`` on.
/// Notifications are posted on the main queue, which a program has to run.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudiosession>
open class AVAudioSession: NSObject, @unchecked Sendable {  // `state` is a lock
  struct State {
    var category = Category.soloAmbient
    var mode = Mode.default
    var policy = RouteSharingPolicy.default
    var options: CategoryOptions = []
    var sampleRate = 0.0
    var bufferDuration: TimeInterval = 0
    var stored = StoredSessionSettings()
    var outputs: [AudioOutput]?
    /// The volumes of the devices of the sound server.
    var volumes: [AudioOutput.ID: Double] = [:]
    /// The key-value observers, and the function that notifies them.
    var observers: (any Sendable)?
    var notify: (@Sendable (AVAudioSession) -> Void)?
    /// Whether players were paused by the suspension of the machine.
    var wasPlaying = false
    var sleepWatch: SleepWatch?
    var deviceWatch: AudioDeviceWatch?
  }

  let state = Mutex(State())
  let activity: PlaybackActivity

  init(activity: PlaybackActivity) {
    self.activity = activity
    super.init()
  }

  private static let shared: AVAudioSession = {
    let session = AVAudioSession(activity: .shared)
    session.observe()
    return session
  }()

  /// Returns the session of the program.
  open class func sharedInstance() -> AVAudioSession { shared }

  // MARK: Category

  /// The category; initially `soloAmbient`.
  open var category: Category { state.withLock { $0.category } }
  /// The mode; initially `default`.
  open var mode: Mode { state.withLock { $0.mode } }
  /// The options of the category.
  open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
  /// The policy of sharing routes.
  open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
  /// The categories that can be set: all.
  open var availableCategories: [Category] {
    [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
  }
  /// The modes that can be set: all.
  open var availableModes: [Mode] {
    [
      .default, .voiceChat, .videoChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .spokenAudio,
      .voicePrompt,
    ]
  }

  /// Sets the category.
  open func setCategory(_ category: Category) throws { state.withLock { $0.category = category } }

  /// Sets the category and its options.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    state.withLock { ($0.category, $0.options) = (category, options) }
  }

  /// Sets the category, the mode and the options.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    state.withLock { ($0.category, $0.mode, $0.options) = (category, mode, options) }
  }

  /// Sets the category, the mode, the policy and the options.
  open func setCategory(
    _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
  ) throws {
    state.withLock { ($0.category, $0.mode, $0.policy, $0.options) = (category, mode, policy, options) }
  }

  /// Sets the mode.
  open func setMode(_ mode: Mode) throws { state.withLock { $0.mode = mode } }

  // MARK: Activation

  /// Activates or deactivates the session; playback does not depend on it.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

  /// Whether other programs play; always false.
  open var isOtherAudioPlaying: Bool { false }
  /// Whether the program should be silent because another one plays; always false.
  open var secondaryAudioShouldBeSilencedHint: Bool { false }

  // MARK: The output

  /// The output of the program, which is the default one of the sound server; without outputs until it is known.
  open var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(state.withLock { $0.outputs }?.route)
  }

  /// The volume of the output, as the mixer of the desktop shows it: 0 to 1, and 0 while the output is muted.
  ///
  /// It is 1 until it is known. With `AVFoundation`, it can be observed.
  open var outputVolume: Float {
    state.withLock { state in
      Float(state.outputs?.route.flatMap { state.volumes[$0.id] }.map { min(max(0, $0), 1) } ?? 1)
    }
  }
  /// The number of channels of the output; always 2.
  open var outputNumberOfChannels: Int { 2 }
  /// The seconds until the output plays a sample; always 0, because the times of players include it.
  open var outputLatency: TimeInterval { 0 }

  /// The preferred sample rate, or 48 kHz.
  open var sampleRate: Double { state.withLock { $0.sampleRate > 0 ? $0.sampleRate : 48_000 } }
  /// The preferred sample rate in Hz, 0 for none; only stored.
  open var preferredSampleRate: Double { state.withLock { $0.sampleRate } }
  /// Stores the preferred sample rate.
  open func setPreferredSampleRate(_ sampleRate: Double) throws { state.withLock { $0.sampleRate = sampleRate } }

  /// The preferred duration of the buffer of the output, or 23 ms.
  open var ioBufferDuration: TimeInterval { state.withLock { $0.bufferDuration > 0 ? $0.bufferDuration : 0.023 } }
  /// The preferred duration of the buffer of the output in seconds, 0 for none; only stored.
  open var preferredIOBufferDuration: TimeInterval { state.withLock { $0.bufferDuration } }
  /// Stores the preferred duration of the buffer of the output.
  open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    state.withLock { $0.bufferDuration = duration }
  }

  /// Does nothing, because the desktop selects the output.
  open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}

  /// The highest number of channels of the output; always 2.
  open var maximumOutputNumberOfChannels: Int { 2 }
  /// The preferred number of channels of the output, 0 for none; only stored.
  open var preferredOutputNumberOfChannels: Int { state.withLock { $0.stored.outputChannels } }
  /// Stores the preferred number of channels of the output.
  open func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    state.withLock { $0.stored.outputChannels = count }
  }
  /// Whether the program has content with more than two channels; only stored, initially false.
  open var supportsMultichannelContent: Bool { state.withLock { $0.stored.isMultichannel } }
  /// Stores whether the program has content with more than two channels.
  open func setSupportsMultichannelContent(_ inValue: Bool) throws {
    state.withLock { $0.stored.isMultichannel = inValue }
  }

  // MARK: Recording

  /// Whether the program may record; always `denied`, because nothing is recorded.
  open var recordPermission: RecordPermission { .denied }
  /// Calls `response` with false on the main queue, because nothing is recorded.
  @preconcurrency
  open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    MainQueue.async { response(false) }
  }

  /// Whether there is an input; always false, because nothing is recorded.
  open var isInputAvailable: Bool { false }
  /// The inputs; always nil, because nothing is recorded.
  open var availableInputs: [AVAudioSessionPortDescription]? { nil }
  /// The preferred input; always nil, because nothing is recorded.
  open var preferredInput: AVAudioSessionPortDescription? { nil }
  /// Does nothing, because nothing is recorded.
  open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {}
  /// The number of channels of the input; always 0, because nothing is recorded.
  open var inputNumberOfChannels: Int { 0 }
  /// The highest number of channels of the input; always 0, because nothing is recorded.
  open var maximumInputNumberOfChannels: Int { 0 }
  /// The preferred number of channels of the input, 0 for none; only stored.
  open var preferredInputNumberOfChannels: Int { state.withLock { $0.stored.inputChannels } }
  /// Stores the preferred number of channels of the input.
  open func setPreferredInputNumberOfChannels(_ count: Int) throws {
    state.withLock { $0.stored.inputChannels = count }
  }
  /// The gain of the input; always 0, because nothing is recorded.
  open var inputGain: Float { 0 }
  /// Whether the gain of the input can be set; always false.
  open var isInputGainSettable: Bool { false }
  /// Does nothing, because nothing is recorded.
  open func setInputGain(_ gain: Float) throws {}
  /// The seconds until a recorded sample is available; always 0, because nothing is recorded.
  open var inputLatency: TimeInterval { 0 }

  // MARK: Settings that are only stored

  /// Whether haptics and sounds of the system play during a recording; only stored, initially false.
  open var allowHapticsAndSystemSoundsDuringRecording: Bool { state.withLock { $0.stored.allowsHaptics } }
  /// Stores whether haptics and sounds of the system play during a recording.
  open func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    state.withLock { $0.stored.allowsHaptics = inValue }
  }
  /// Whether alerts of the system should not interrupt the program; only stored, initially false.
  open var prefersNoInterruptionsFromSystemAlerts: Bool { state.withLock { $0.stored.refusesAlerts } }
  /// Stores whether alerts of the system should not interrupt the program.
  open func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
    state.withLock { $0.stored.refusesAlerts = inValue }
  }
  /// Whether the removal of the output should interrupt the program; only stored, initially false.
  open var prefersInterruptionOnRouteDisconnect: Bool { state.withLock { $0.stored.interruptsOnDisconnect } }
  /// Stores whether the removal of the output should interrupt the program.
  open func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
    state.withLock { $0.stored.interruptsOnDisconnect = inValue }
  }
}

/// The settings of a session that are only stored.
struct StoredSessionSettings: Sendable {
  var outputChannels = 0
  var inputChannels = 0
  var isMultichannel = false
  var allowsHaptics = false
  var refusesAlerts = false
  var interruptsOnDisconnect = false
}
