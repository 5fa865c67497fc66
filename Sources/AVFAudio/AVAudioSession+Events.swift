// The constants have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DBus
public import Foundation
import GstPlayer
import Synchronization

extension AVAudioSession {
  /// Posted when players were paused because the machine is suspended, and after it has woken up.
  public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
  /// Posted when the output was removed, or another one is used.
  public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")
  /// Not posted.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// Not posted.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Not posted.
  public static let silenceSecondaryAudioHintNotification = Notification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")
}

extension Notification.Name {
  /// The same as ``AVAudioSession/interruptionNotification``.
  public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
  /// The same as ``AVAudioSession/routeChangeNotification``.
  public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
  /// The same as ``AVAudioSession/mediaServicesWereLostNotification``.
  public static let AVAudioSessionMediaServicesWereLost = AVAudioSession.mediaServicesWereLostNotification
  /// The same as ``AVAudioSession/mediaServicesWereResetNotification``.
  public static let AVAudioSessionMediaServicesWereReset = AVAudioSession.mediaServicesWereResetNotification
  /// The same as ``AVAudioSession/silenceSecondaryAudioHintNotification``.
  public static let AVAudioSessionSilenceSecondaryAudioHint = AVAudioSession.silenceSecondaryAudioHintNotification
}

/// The key of the raw value of an ``AVAudioSession/InterruptionType``.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of the raw value of ``AVAudioSession/InterruptionOptions``.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of the raw value of an ``AVAudioSession/InterruptionReason``.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// The key of whether the program was suspended; not used.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// The key of the raw value of an ``AVAudioSession/RouteChangeReason``.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the ``AVAudioSessionRouteDescription`` before the change.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// The key of the raw value of an ``AVAudioSession/SilenceSecondaryAudioHintType``.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

/// Follows the machine and its sound server.
extension AVAudioSession {
  /// Starts to observe the devices of the sound server, and the suspension of the machine.
  func observe(systemBus: @escaping @Sendable () -> String? = { DBusConnection.systemBusAddress() }) {
    let devices = AudioDeviceWatch(volume: { [weak self] in self?.volumeChanged(of: $0, to: $1) }) { [weak self] in
      self?.outputsChanged(to: $0)
    }
    let sleep = SleepWatch(address: systemBus) { [weak self] begins in
      await withCheckedContinuation { [weak self] continuation in
        MainQueue.async { [weak self] in
          if begins { self?.interrupt() } else { self?.endInterruption() }
          continuation.resume()
        }
      }
    }
    state.withLock { ($0.deviceWatch, $0.sleepWatch) = (devices, sleep) }
  }

  /// Posts a notification if the route has changed; the first list is the initial state.
  func outputsChanged(to outputs: [AudioOutput]) {
    let old = state.withLock { state in
      defer { state.outputs = outputs }
      return state.outputs
    }
    notifyObservers()
    guard let old, let reason = outputs.reason(since: old) else { return }
    MainQueue.async { [self] in
      NotificationCenter.default.post(
        name: Self.routeChangeNotification, object: self,
        userInfo: [
          AVAudioSessionRouteChangeReasonKey: reason.rawValue,
          AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(old.route),
        ])
    }
  }

  /// Records the volume of a device.
  func volumeChanged(of device: AudioOutput.ID, to volume: Double) {
    state.withLock { $0.volumes[device] = volume }
    notifyObservers()
  }

  /// Returns the key-value observers.
  ///
  /// - Parameters:
  ///   - make: Creates them at the first call.
  ///   - notify: Reports changed properties to them, on the main queue.
  /// - Returns: The observers.
  package func observers<Observers: Sendable>(
    _ make: () -> Observers, notify: @escaping @Sendable (Observers, AVAudioSession) -> Void
  ) -> Observers {
    state.withLock { state in
      if let observers = state.observers as? Observers { return observers }
      let observers = make()
      (state.observers, state.notify) = (observers, { notify(observers, $0) })
      return observers
    }
  }

  private func notifyObservers() {
    guard let notify = state.withLock({ $0.notify }) else { return }
    MainQueue.async { notify(self) }
  }

  /// Pauses the players that play, and posts the begin of an interruption; on the main queue.
  func interrupt() {
    let wasPlaying = activity.interrupt()
    state.withLock { $0.wasPlaying = wasPlaying }
    post(.began, [AVAudioSessionInterruptionReasonKey: InterruptionReason.default.rawValue])
  }

  /// Posts the end of an interruption; on the main queue.
  func endInterruption() {
    let options: InterruptionOptions = state.withLock { $0.wasPlaying } ? .shouldResume : []
    post(.ended, [AVAudioSessionInterruptionOptionKey: options.rawValue])
  }

  private func post(_ type: InterruptionType, _ info: [String: UInt]) {
    NotificationCenter.default.post(
      name: Self.interruptionNotification, object: self,
      userInfo: info.merging([AVAudioSessionInterruptionTypeKey: type.rawValue]) { $1 })
  }
}
