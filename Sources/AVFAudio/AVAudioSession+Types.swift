// The constants have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension AVAudioSession {
  /// The kind of audio of a program.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The name of the category.
    public let rawValue: String

    /// Creates a category from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Audio that is not essential, and mixes with the audio of other programs.
    public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
    /// Audio that is not essential.
    public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Music, or other audio that is essential.
    public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recording.
    public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
    /// Recording and playback.
    public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Several outputs or inputs at once.
    public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// The purpose of the audio.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The name of the mode.
    public let rawValue: String

    /// Creates a mode from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The purpose of the category.
    public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
    /// Calls.
    public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
    /// Video calls.
    public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
    /// Games with speech.
    public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
    /// Recording of video.
    public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
    /// Measurement of audio.
    public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
    /// Films.
    public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Speech, such as a podcast.
    public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Short prompts of speech.
    public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")
  }

  /// The options of a category.
  public struct CategoryOptions: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Plays beside other programs.
    public static let mixWithOthers = Self(rawValue: 0x1)
    /// Makes other programs quieter.
    public static let duckOthers = Self(rawValue: 0x2)
    /// Allows hands-free devices.
    public static let allowBluetooth = Self(rawValue: 0x4)
    /// Allows hands-free devices.
    public static let allowBluetoothHFP = Self(rawValue: 0x4)
    /// Prefers the speaker to the receiver.
    public static let defaultToSpeaker = Self(rawValue: 0x8)
    /// Pauses speech of other programs.
    public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
    /// Allows Bluetooth devices for music.
    public static let allowBluetoothA2DP = Self(rawValue: 0x20)
    /// Allows AirPlay.
    public static let allowAirPlay = Self(rawValue: 0x40)
    /// Plays on while the microphone is muted.
    public static let overrideMutedMicrophoneInterruption = Self(rawValue: 0x80)
  }

  /// The policy of sharing routes with other programs.
  public enum RouteSharingPolicy: UInt, Sendable {
    /// The policy of the system.
    case `default` = 0
    /// The policy of long audio, such as music.
    case longFormAudio = 1
    /// A route that is separate from other programs.
    case independent = 2
    /// The policy of long video.
    case longFormVideo = 3

    /// The same as ``longFormAudio``.
    public static var longForm: Self { .longFormAudio }
  }

  /// The options of an activation.
  public struct SetActiveOptions: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Informs other programs of the deactivation.
    public static let notifyOthersOnDeactivation = Self(rawValue: 1)
  }

  /// The speaker instead of another output.
  public enum PortOverride: UInt, Sendable {
    /// The output of the system.
    case none = 0
    /// The speaker.
    case speaker = 0x7370_6B72
  }

  /// Whether a program may record.
  public enum RecordPermission: UInt, Sendable {
    /// The user was not asked.
    case undetermined = 0x756e_6474
    /// The program may not record.
    case denied = 0x6465_6e79
    /// The program may record.
    case granted = 0x6772_6e74
  }

  /// The kind of an interruption.
  public enum InterruptionType: UInt, Sendable {
    /// The interruption has ended.
    case ended = 0
    /// Players were paused.
    case began = 1
  }

  /// The options of the end of an interruption.
  public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The program should play on.
    public static let shouldResume = Self(rawValue: 1)
  }

  /// The reason for an interruption.
  public enum InterruptionReason: UInt, Sendable {
    /// Another program plays, or the machine is suspended.
    case `default` = 0
    /// The program was suspended.
    case appWasSuspended = 1
    /// The microphone was muted.
    case builtInMicMuted = 2
    /// The output was disconnected.
    case routeDisconnected = 4
  }

  /// The reason for a change of the route.
  public enum RouteChangeReason: UInt, Sendable {
    /// Unknown.
    case unknown = 0
    /// A new device became the output.
    case newDeviceAvailable = 1
    /// The output was removed.
    case oldDeviceUnavailable = 2
    /// The category was set.
    case categoryChange = 3
    /// Another output was selected.
    case override = 4
    /// The machine woke up.
    case wakeFromSleep = 6
    /// No output exists for the category.
    case noSuitableRouteForCategory = 7
    /// The output is configured in another way.
    case routeConfigurationChange = 8
  }

  /// Whether a program should be silent because another one plays.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    /// The other program has ended.
    case end = 0
    /// The other program begins.
    case begin = 1
  }

  /// The kind of an output.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A built-in speaker.
    public static let builtInSpeaker = Self(rawValue: "Speaker")
    /// The receiver of a telephone.
    public static let builtInReceiver = Self(rawValue: "Receiver")
    /// Headphones.
    public static let headphones = Self(rawValue: "Headphones")
    /// A line output.
    public static let lineOut = Self(rawValue: "LineOut")
    /// A Bluetooth device for music.
    public static let bluetoothA2DP = Self(rawValue: "BluetoothA2DPOutput")
    /// A low-energy Bluetooth device.
    public static let bluetoothLE = Self(rawValue: "BluetoothLE")
    /// A hands-free device.
    public static let bluetoothHFP = Self(rawValue: "BluetoothHFP")
    /// A screen.
    public static let HDMI = Self(rawValue: "HDMIOutput")
    /// A screen.
    public static let displayPort = Self(rawValue: "DisplayPort")
    /// A USB device.
    public static let usbAudio = Self(rawValue: "USBAudio")
    /// An AirPlay device.
    public static let airPlay = Self(rawValue: "AirPlay")
    /// A car.
    public static let carAudio = Self(rawValue: "CarAudio")
    /// A device of software.
    public static let virtual = Self(rawValue: "Virtual")
    /// A built-in microphone.
    public static let builtInMic = Self(rawValue: "MicrophoneBuiltIn")
    /// A microphone of headphones.
    public static let headsetMic = Self(rawValue: "MicrophoneWired")
    /// A line input.
    public static let lineIn = Self(rawValue: "LineIn")
    /// A Thunderbolt device.
    public static let thunderbolt = Self(rawValue: "Thunderbolt")
    /// A FireWire device.
    public static let fireWire = Self(rawValue: "FireWire")
    /// A PCI device.
    public static let PCI = Self(rawValue: "PCI")
    /// A device on the network, AVB.
    public static let AVB = Self(rawValue: "AVB")
  }
}
