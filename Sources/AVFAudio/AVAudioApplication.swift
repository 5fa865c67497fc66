public import Foundation

/// The permission of the program to record, which is denied: nothing is recorded.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudioapplication>
open class AVAudioApplication: NSObject, @unchecked Sendable {  // adds no state
  /// Whether a program may record.
  public enum RecordPermission: Int, Sendable {
    /// The user was not asked.
    case undetermined = 0x756e_6474
    /// The program may not record.
    case denied = 0x6465_6e79
    /// The program may record.
    case granted = 0x6772_6e74
  }

  private override init() { super.init() }

  private static let application = AVAudioApplication()

  /// The object of the program.
  open class var shared: AVAudioApplication { application }

  /// Whether the program may record; always `denied`, because nothing is recorded.
  open var recordPermission: RecordPermission { .denied }

  /// Calls `response` with false on the main queue, because nothing is recorded.
  @preconcurrency
  open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
    MainQueue.async { response(false) }
  }

  /// Returns false, because nothing is recorded.
  open class func requestRecordPermission() async -> Bool { false }
}
