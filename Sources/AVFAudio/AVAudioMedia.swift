import CLinux
import Dispatch
import Foundation
import GstPlayer

/// The media of an ``AVAudioPlayer``: a file, or bytes in memory.
final class AVAudioMedia: Sendable {
  let url: URL?
  let data: Data?
  let description: MediaDescription
  /// The URI that is played.
  let uri: String
  /// The file in memory; nil for a URL.
  private let memory: FileHandle?

  /// The time limit for the description of a file.
  private static let timeout = Duration.seconds(30)

  /// Opens the media of a URL, and blocks until its description is known.
  init(_ url: URL) throws(NSError) {
    (self.url, data, memory) = (url, nil, nil)
    uri = url.absoluteString
    description = try Self.description(of: uri)
  }

  /// Copies bytes to a file in memory, and blocks until its description is known.
  init(_ data: Data) throws(NSError) {
    (url, self.data) = (nil, data)
    let descriptor = unsafe clinux_create_memory("AVAudioPlayer")
    guard descriptor >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
    let memory = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try memory.write(contentsOf: data)
    } catch {
      throw error as NSError
    }
    self.memory = memory
    // The engine opens it by its name in the file system.
    uri = "file:///proc/self/fd/\(descriptor)"
    description = try Self.description(of: uri)
  }

  private static func description(of uri: String) throws(NSError) -> MediaDescription {
    let answer = Answer()
    let inspector = MediaInspector(concurrencyLimit: 1, timeout: timeout)
    _ = inspector.begin(uri) { answer.set($0) }
    switch answer.wait() {
    case .success(let description): return description
    case .failure(let error): throw error.audioFileError(about: uri)
    }
  }

  /// A result that one thread sets and another one waits for.
  private final class Answer: @unchecked Sendable {  // `value` is set before `isKnown` is signalled, and read after
    private let isKnown = DispatchSemaphore(value: 0)
    private var value = Result<MediaDescription, PlayerError>.failure(PlayerError(code: .unknown, message: "no answer"))

    func set(_ value: Result<MediaDescription, PlayerError>) {
      self.value = value
      isKnown.signal()
    }

    func wait() -> Result<MediaDescription, PlayerError> {
      isKnown.wait()
      return value
    }
  }

  // MARK: Format

  private var track: AudioTrack? { description.audioTracks.first }

  var duration: TimeInterval { description.duration.map { $0 / .seconds(1) } ?? 0 }

  /// The number of channels; 2 if the media does not specify it.
  var channelCount: Int { track?.channels ?? 2 }

  var sampleRate: Double { Double(track?.sampleRate ?? 44_100) }

  var settings: [String: Any] {
    var settings: [String: Any] = [AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: channelCount]
    settings[AVFormatIDKey] = track?.formatID
    settings[AVEncoderBitRateKey] = track?.bitRate
    return settings
  }

  var format: AVAudioFormat {
    AVAudioFormat(
      kAudioFormatLinearPCM, .pcmFormatFloat32, sampleRate: sampleRate,
      channels: AVAudioChannelCount(clamping: channelCount),
      interleaved: false)
  }
}

extension PlayerError {
  /// Returns the error that Apple's Core Audio reports for this failure of the media of a URI, in `NSOSStatusErrorDomain`.
  func audioFileError(about uri: String) -> NSError {
    let status: OSStatus =
      switch code {
      case .notFound: kAudioFileFileNotFoundError
      case .permissionDenied: kAudioFilePermissionsError
      case .notMedia, .noAudio: kAudioFileUnsupportedFileTypeError
      case .codecMissing: kAudioFileUnsupportedDataFormatError
      case .corrupt, .empty, .limitExceeded: kAudioFileInvalidFileError
      default: kAudioFileUnspecifiedError
      }
    return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: userInfo(about: uri))
  }
}
