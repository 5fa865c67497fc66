// The list of Apple's names that this module lacks: the compiler reports the message instead of an unknown name, and `make tables` writes
// the list of the page. A declaration is one line, so that it reads like Apple's interface; no body is ever run.
// swift-format-ignore-file

public import CoreMedia
public import Foundation

@available(*, unavailable, message: "Linux has no Objective-C: use the variant with a closure, see docs/PORTING.md")
public struct Selector: ExpressibleByStringLiteral {
  public init(_ name: String) { unavailable() }
  public init(stringLiteral name: String) { unavailable() }
}

@available(*, unavailable, message: "Linux has no Objective-C: use addObserver(forName:object:queue:using:), and removeObserver(_:) with its result")
extension NotificationCenter {
  public func addObserver(_ observer: Any, selector: Selector, name: Notification.Name?, object: Any?) { unavailable() }
}

@available(*, unavailable, message: "spatial audio is not available")
extension AVAudioPlayer {
  public var intendedSpatialExperience: Any { get { unavailable() } set {} }
}

@available(*, unavailable, message: "use AVAudioSession.interruptionNotification")
extension AVAudioPlayerDelegate {
  public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { unavailable() }
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer) { unavailable() }
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) { unavailable() }
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withFlags flags: Int) { unavailable() }
}

@available(*, unavailable, message: "layouts and descriptions of Core Audio are not available: use sampleRate, channelCount and settings")
extension AVAudioFormat {
  public var channelLayout: AVAudioChannelLayout? { unavailable() }
  public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { unavailable() }
  public var formatDescription: CMFormatDescription { unavailable() }
  public var magicCookie: Data? { get { unavailable() } set {} }
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) { unavailable() }
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?) { unavailable() }
  public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout) { unavailable() }
  public convenience init(commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool, channelLayout layout: AVAudioChannelLayout) { unavailable() }
  public convenience init?(settings: [String: Any]) { unavailable() }
  public convenience init(cmAudioFormatDescription formatDescription: CMFormatDescription) { unavailable() }
}

@available(*, unavailable, message: "layouts and descriptions of Core Audio are not available: use sampleRate, channelCount and settings")
open class AVAudioChannelLayout: NSObject { public init?(layoutTag: UInt32) { unavailable() }; public var layoutTag: UInt32 { unavailable() }; public var channelCount: UInt32 { unavailable() }; public var layout: UnsafeRawPointer { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
extension AVAudioSession {
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? { unavailable() }
  public var inputDataSource: AVAudioSessionDataSourceDescription? { unavailable() }
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws { unavailable() }
  public var inputOrientation: AVAudioSession.StereoOrientation { unavailable() }
  public var preferredInputOrientation: AVAudioSession.StereoOrientation { unavailable() }
  public func setPreferredInputOrientation(_ orientation: AVAudioSession.StereoOrientation) throws { unavailable() }
  public var prefersEchoCancelledInput: Bool { unavailable() }
  public func setPrefersEchoCancelledInput(_ value: Bool) throws { unavailable() }
  public var isEchoCancelledInputEnabled: Bool { unavailable() }
  public var isEchoCancelledInputAvailable: Bool { unavailable() }
  public enum StereoOrientation: Int { case none, portrait, portraitUpsideDown, landscapeRight, landscapeLeft }
}

@available(*, unavailable, message: "the desktop selects the output: see docs/AVFAUDIO.md")
extension AVAudioSession {
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? { unavailable() }
  public var outputDataSource: AVAudioSessionDataSourceDescription? { unavailable() }
  public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws { unavailable() }
  public var promptStyle: AVAudioSession.PromptStyle { unavailable() }
  public enum PromptStyle: UInt { case none, short, normal }
  public var supportedOutputChannelLayouts: [AVAudioChannelLayout] { unavailable() }
  public var renderingMode: AVAudioSession.RenderingMode { unavailable() }
  public enum RenderingMode: Int { case notApplicable, monoStereo, surround, spatialAudio, dolbyAudio, dolbyAtmos }
  public static var renderingModeChangeNotification: Notification.Name { unavailable() }
  public static var renderingCapabilitiesChangeNotification: Notification.Name { unavailable() }
  public static var spatialPlaybackCapabilitiesChangedNotification: Notification.Name { unavailable() }
  public enum IOType: UInt { case notSpecified, aggregated }
  public func setAggregatedIOPreference(_ inIOType: AVAudioSession.IOType) throws { unavailable() }
}

@available(*, unavailable, message: "use setActive(_:options:)")
extension AVAudioSession {
  public func activate(options: AVAudioSession.ActivationOptions = [], completionHandler handler: @escaping (Bool, (any Error)?) -> Void) { unavailable() }
  public struct ActivationOptions: OptionSet, Sendable { public var rawValue: UInt; public init(rawValue: UInt) { unavailable() } }
}

@available(*, unavailable, message: "use setActive(_:options:)")
extension AVAudioSession {
  public func setActive(_ active: Bool, with options: AVAudioSession.SetActiveOptions) throws { unavailable() }
}

@available(*, unavailable, message: "use setCategory(_:options:)")
extension AVAudioSession {
  public func setCategory(_ category: AVAudioSession.Category, with options: AVAudioSession.CategoryOptions) throws { unavailable() }
}

@available(*, unavailable, message: "only playback is available: use AVAudioSession.Category.playback")
extension AVAudioSession.Category {
  public static var audioProcessing: AVAudioSession.Category { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
open class AVAudioSessionDataSourceDescription: NSObject {
  public var dataSourceID: NSNumber
  public var dataSourceName: String
  public override init() { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
extension AVAudioSessionPortDescription {
  public var dataSources: [AVAudioSessionDataSourceDescription]? { unavailable() }
  public var selectedDataSource: AVAudioSessionDataSourceDescription? { unavailable() }
  public var preferredDataSource: AVAudioSessionDataSourceDescription? { unavailable() }
  public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws { unavailable() }
  public var hasHardwareVoiceCallProcessing: Bool { unavailable() }
}

@available(*, unavailable, message: "spatial audio is not available")
extension AVAudioSessionPortDescription {
  public var isSpatialAudioEnabled: Bool { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
extension AVAudioApplication {
  public var isInputMuted: Bool { unavailable() }
  public func setInputMuted(_ muted: Bool) throws { unavailable() }
  public func setInputMuteStateChangeHandler(_ inputMuteHandler: ((Bool) -> Bool)?) throws { unavailable() }
  public static var inputMuteStateChangeNotification: Notification.Name { unavailable() }
  public static var muteStateKey: String { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
public protocol AVAudioRecorderDelegate: AnyObject {}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
open class AVAudioRecorder: NSObject {
  public var delegate: (any AVAudioRecorderDelegate)?
  public var isRecording: Bool
  public var url: URL
  public var settings: [String: Any]
  public var currentTime: TimeInterval
  public var isMeteringEnabled: Bool
  public init(url: URL, settings: [String: Any]) throws { unavailable() }
  public init(url: URL, format: AVAudioFormat) throws { unavailable() }
  public func prepareToRecord() -> Bool { unavailable() }
  public func record() -> Bool { unavailable() }
  public func record(forDuration duration: TimeInterval) -> Bool { unavailable() }
  public func pause() { unavailable() }
  public func stop() { unavailable() }
  public func deleteRecording() -> Bool { unavailable() }
  public func updateMeters() { unavailable() }
  public func averagePower(forChannel channelNumber: Int) -> Float { unavailable() }
  public func peakPower(forChannel channelNumber: Int) -> Float { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioNode: NSObject {
  public var engine: AVAudioEngine?
  public var numberOfInputs: Int
  public var numberOfOutputs: Int
  public var lastRenderTime: AVAudioTime?
  public var latency: TimeInterval
  public var volume: Float
  public var pan: Float
  public var rate: Float
  public override init() { unavailable() }
  public func reset() { unavailable() }
  public func inputFormat(forBus bus: Int) -> AVAudioFormat { unavailable() }
  public func outputFormat(forBus bus: Int) -> AVAudioFormat { unavailable() }
  public func installTap(onBus bus: Int, bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block: @escaping (AVAudioPCMBuffer, AVAudioTime) -> Void) { unavailable() }
  public func removeTap(onBus bus: Int) { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioEngine: NSObject {
  public var mainMixerNode: AVAudioMixerNode
  public var outputNode: AVAudioOutputNode
  public var inputNode: AVAudioInputNode
  public var isRunning: Bool
  public var isAutoShutdownEnabled: Bool
  public var attachedNodes: Set<AVAudioNode>
  public override init() { unavailable() }
  public func attach(_ node: AVAudioNode) { unavailable() }
  public func detach(_ node: AVAudioNode) { unavailable() }
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) { unavailable() }
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: Int, toBus bus2: Int, format: AVAudioFormat?) { unavailable() }
  public func disconnectNodeInput(_ node: AVAudioNode) { unavailable() }
  public func disconnectNodeInput(_ node: AVAudioNode, bus: Int) { unavailable() }
  public func disconnectNodeOutput(_ node: AVAudioNode) { unavailable() }
  public func disconnectNodeOutput(_ node: AVAudioNode, bus: Int) { unavailable() }
  public func prepare() { unavailable() }
  public func start() throws { unavailable() }
  public func pause() { unavailable() }
  public func reset() { unavailable() }
  public func stop() { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioIONode: AVAudioNode {
  public var audioUnit: Any? { unavailable() }
  public var presentationLatency: TimeInterval { unavailable() }
  public var isVoiceProcessingEnabled: Bool { unavailable() }
  public func setVoiceProcessingEnabled(_ enabled: Bool) throws { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioInputNode: AVAudioIONode {}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioOutputNode: AVAudioIONode {}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioMixerNode: AVAudioNode { public var outputVolume: Float = 0 }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioEnvironmentNode: AVAudioNode {}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioPlayerNode: AVAudioNode {
  public var isPlaying: Bool { unavailable() }
  public func play() { unavailable() }
  public func play(at when: AVAudioTime?) { unavailable() }
  public func pause() { unavailable() }
  public func stop() { unavailable() }
  public func prepare(withFrameCount frameCount: AVAudioFrameCount) { unavailable() }
  public func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? { unavailable() }
  public func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? { unavailable() }
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: (() -> Void)? = nil) { unavailable() }
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [], completionHandler: (() -> Void)? = nil) { unavailable() }
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType, completionHandler: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil) { unavailable() }
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType, completionHandler: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil) { unavailable() }
  public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?, completionHandler: (() -> Void)? = nil) { unavailable() }
  public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType, completionHandler: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil) { unavailable() }
  public func scheduleSegment(_ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?, completionHandler: (() -> Void)? = nil) { unavailable() }
  public func scheduleSegment(_ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType, completionHandler: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil) { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  public var rawValue: UInt
  public init(rawValue: UInt) { unavailable() }
  public static var loops: Self { unavailable() }
  public static var interrupts: Self { unavailable() }
  public static var interruptsAtLoop: Self { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public enum AVAudioPlayerNodeCompletionCallbackType: Int { case dataConsumed, dataRendered, dataPlayedBack }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioTime: NSObject {
  public var hostTime: UInt64
  public var sampleTime: AVAudioFramePosition
  public var sampleRate: Double
  public var isHostTimeValid: Bool
  public var isSampleTimeValid: Bool
  public init(hostTime: UInt64) { unavailable() }
  public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) { unavailable() }
  public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) { unavailable() }
  public static func hostTime(forSeconds seconds: TimeInterval) -> UInt64 { unavailable() }
  public static func seconds(forHostTime hostTime: UInt64) -> TimeInterval { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioFile: NSObject {
  public var url: URL
  public var fileFormat: AVAudioFormat
  public var processingFormat: AVAudioFormat
  public var length: AVAudioFramePosition
  public var framePosition: AVAudioFramePosition
  public init(forReading fileURL: URL) throws { unavailable() }
  public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws { unavailable() }
  public init(forWriting fileURL: URL, settings: [String: Any]) throws { unavailable() }
  public init(forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws { unavailable() }
  public func read(into buffer: AVAudioPCMBuffer) throws { unavailable() }
  public func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws { unavailable() }
  public func write(from buffer: AVAudioPCMBuffer) throws { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioBuffer: NSObject {
  public var format: AVAudioFormat
  public override init() { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioPCMBuffer: AVAudioBuffer {
  public var frameCapacity: AVAudioFrameCount { unavailable() }
  public var frameLength: AVAudioFrameCount { get { unavailable() } set {} }
  public var stride: Int { unavailable() }
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { unavailable() }
  public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { unavailable() }
  public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { unavailable() }
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioCompressedBuffer: AVAudioBuffer {}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioConverter: NSObject {
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) { unavailable() }
  public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws { unavailable() }
  public func convert(to outputBuffer: AVAudioBuffer, error outError: UnsafeMutablePointer<NSError?>?, withInputFrom inputBlock: AVAudioConverterInputBlock) -> AVAudioConverterOutputStatus { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public typealias AVAudioConverterInputBlock = (UInt32, UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer?

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public enum AVAudioConverterInputStatus: Int { case haveData, noDataNow, endOfStream }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public enum AVAudioConverterOutputStatus: Int { case haveData, inputRanDry, endOfStream, error }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnit: AVAudioNode {}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitEffect: AVAudioUnit { public var bypass: Bool { get { unavailable() } set {} } }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitTimeEffect: AVAudioUnit { public var bypass: Bool { get { unavailable() } set {} } }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitReverb: AVAudioUnitEffect { public var wetDryMix: Float { get { unavailable() } set {} } }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitDelay: AVAudioUnitEffect { public var wetDryMix: Float { get { unavailable() } set {} } }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitDistortion: AVAudioUnitEffect { public var wetDryMix: Float { get { unavailable() } set {} } }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitSampler: AVAudioUnit {}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioSequencer: NSObject { public init(audioEngine engine: AVAudioEngine) { unavailable() } }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioSinkNode: AVAudioNode { public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) { unavailable() } }

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public typealias AVAudioSinkNodeReceiverBlock = (UnsafeRawPointer, AVAudioFrameCount, UnsafePointer<AudioBufferList>) -> OSStatus

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioSourceNode: AVAudioNode {
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) { unavailable() }
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public typealias AVAudioSourceNodeRenderBlock = (UnsafeMutablePointer<ObjCBool>, UnsafeRawPointer, AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>) -> OSStatus

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitEQ: AVAudioUnitEffect {
  public var bands: [AVAudioUnitEQFilterParameters] { unavailable() }
  public var globalGain: Float { get { unavailable() } set {} }
  public override init() { unavailable() }
  public init(numberOfBands: Int) { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
open class AVAudioUnitEQFilterParameters: NSObject {
  public var filterType: AVAudioUnitEQFilterType
  public var frequency: Float
  public var bandwidth: Float
  public var gain: Float
  public var bypass: Bool
  public override init() { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
public enum AVAudioUnitEQFilterType: Int { case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop, lowShelf, highShelf, resonantLowShelf, resonantHighShelf }

@available(*, unavailable, message: "use AVPlayer.rate or AVAudioPlayer.rate: they keep the pitch; there are no audio units, see docs/AVFAUDIO.md")
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect {
  public var pitch: Float { get { unavailable() } set {} }
  public var overlap: Float { get { unavailable() } set {} }
}

@available(*, unavailable, message: "use AVPlayer.rate or AVAudioPlayer.rate: they keep the pitch; there are no audio units, see docs/AVFAUDIO.md")
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect {}

@available(*, unavailable, message: "out of scope: there are no audio graphs; AVPlayer plays, and AVAssetReader reads samples, see docs/AVFAUDIO.md")
extension Notification.Name {
  public static var AVAudioEngineConfigurationChange: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
public protocol AVSpeechSynthesizerDelegate: AnyObject {}

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
open class AVSpeechSynthesizer: NSObject {
  public var delegate: (any AVSpeechSynthesizerDelegate)?
  public var isSpeaking: Bool
  public var isPaused: Bool
  public override init() { unavailable() }
  public func speak(_ utterance: AVSpeechUtterance) { unavailable() }
  public func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool { unavailable() }
  public func pauseSpeaking(at boundary: AVSpeechBoundary) -> Bool { unavailable() }
  public func continueSpeaking() -> Bool { unavailable() }
}

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
open class AVSpeechUtterance: NSObject {
  public var speechString: String
  public var voice: AVSpeechSynthesisVoice?
  public var rate: Float
  public var pitchMultiplier: Float
  public var volume: Float
  public var preUtteranceDelay: TimeInterval
  public var postUtteranceDelay: TimeInterval
  public init(string: String) { unavailable() }
  public init(attributedString string: NSAttributedString) { unavailable() }
}

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
open class AVSpeechSynthesisVoice: NSObject {
  public var language: String
  public var identifier: String
  public var name: String
  public init?(language languageCode: String?) { unavailable() }
  public init?(identifier: String) { unavailable() }
  public static func speechVoices() -> [AVSpeechSynthesisVoice] { unavailable() }
  public static func currentLanguageCode() -> String { unavailable() }
}

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
public enum AVSpeechBoundary: Int { case immediate, word }

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
public var AVSpeechUtteranceDefaultSpeechRate: Float { unavailable() }

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
public var AVSpeechUtteranceMinimumSpeechRate: Float { unavailable() }

@available(*, unavailable, message: "out of scope: there is no speech synthesis, see docs/AVFAUDIO.md")
public var AVSpeechUtteranceMaximumSpeechRate: Float { unavailable() }

@available(*, unavailable, message: "out of scope: MIDI is not played, see docs/AVFAUDIO.md")
open class AVMIDIPlayer: NSObject {
  public var duration: TimeInterval
  public var isPlaying: Bool
  public var rate: Float
  public var currentPosition: TimeInterval
  public init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws { unavailable() }
  public init(data: Data, soundBankURL bankURL: URL?) throws { unavailable() }
  public func prepareToPlay() { unavailable() }
  public func play(_ completionHandler: (() -> Void)? = nil) { unavailable() }
  public func stop() { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
extension AVAudioSession {
  public var isMicrophoneInjectionAvailable: Bool { unavailable() }
  public struct Orientation: RawRepresentable, Hashable, Sendable { public var rawValue: String; public init(rawValue: String) { unavailable() } }
  public struct Location: RawRepresentable, Hashable, Sendable { public var rawValue: String; public init(rawValue: String) { unavailable() } }
  public struct PolarPattern: RawRepresentable, Hashable, Sendable { public var rawValue: String; public init(rawValue: String) { unavailable() } }
}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFAUDIO.md")
extension AVAudioSession.Port {
  public static var continuityMicrophone: AVAudioSession.Port { unavailable() }
}

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Category.ambient")
public var AVAudioSessionCategoryAmbient: AVAudioSession.Category { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Category.soloAmbient")
public var AVAudioSessionCategorySoloAmbient: AVAudioSession.Category { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Category.playback")
public var AVAudioSessionCategoryPlayback: AVAudioSession.Category { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Category.record")
public var AVAudioSessionCategoryRecord: AVAudioSession.Category { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Category.playAndRecord")
public var AVAudioSessionCategoryPlayAndRecord: AVAudioSession.Category { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Category.multiRoute")
public var AVAudioSessionCategoryMultiRoute: AVAudioSession.Category { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.default")
public var AVAudioSessionModeDefault: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.spokenAudio")
public var AVAudioSessionModeSpokenAudio: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.moviePlayback")
public var AVAudioSessionModeMoviePlayback: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.voiceChat")
public var AVAudioSessionModeVoiceChat: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.videoChat")
public var AVAudioSessionModeVideoChat: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.measurement")
public var AVAudioSessionModeMeasurement: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.gameChat")
public var AVAudioSessionModeGameChat: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Mode.videoRecording")
public var AVAudioSessionModeVideoRecording: AVAudioSession.Mode { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.CategoryOptions")
public typealias AVAudioSessionCategoryOptions = AVAudioSession.CategoryOptions

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.InterruptionType")
public typealias AVAudioSessionInterruptionType = AVAudioSession.InterruptionType

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.InterruptionOptions")
public typealias AVAudioSessionInterruptionOptions = AVAudioSession.InterruptionOptions

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.RouteChangeReason")
public typealias AVAudioSessionRouteChangeReason = AVAudioSession.RouteChangeReason

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.PortOverride")
public typealias AVAudioSessionPortOverride = AVAudioSession.PortOverride

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.SetActiveOptions")
public typealias AVAudioSessionSetActiveOptions = AVAudioSession.SetActiveOptions

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.SilenceSecondaryAudioHintType")
public typealias AVAudioSessionSilenceSecondaryAudioHintType = AVAudioSession.SilenceSecondaryAudioHintType

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.RouteSharingPolicy")
public typealias AVAudioSessionRouteSharingPolicy = AVAudioSession.RouteSharingPolicy

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Port.builtInSpeaker")
public var AVAudioSessionPortBuiltInSpeaker: AVAudioSession.Port { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Port.headphones")
public var AVAudioSessionPortHeadphones: AVAudioSession.Port { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Port.bluetoothA2DP")
public var AVAudioSessionPortBluetoothA2DP: AVAudioSession.Port { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioSession.Port.airPlay")
public var AVAudioSessionPortAirPlay: AVAudioSession.Port { unavailable() }
