public import Foundation
import Synchronization

/// Detects routes of AirPlay; it finds none, because the desktop selects the output.
///
/// <https://developer.apple.com/documentation/avfoundation/avroutedetector>
open class AVRouteDetector: NSObject, @unchecked Sendable {  // `isEnabled` is a lock
  private let isEnabled = Mutex(false)

  /// Makes a detector, which finds nothing.
  public override init() { super.init() }

  /// Whether routes are to be detected; only stored, initially false.
  open var isRouteDetectionEnabled: Bool {
    get { isEnabled.withLock { $0 } }
    set { isEnabled.withLock { $0 = newValue } }
  }

  /// Whether there are several routes; always false.
  open var multipleRoutesDetected: Bool { false }
}
