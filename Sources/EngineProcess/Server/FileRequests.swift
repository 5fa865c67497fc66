import Dispatch
import Glibc
import Synchronization

/// The files that threads of the engine have requested from the player, and wait for.
final class FileRequests: Sendable {
  /// An error number of the player.
  struct Failure: Error { let number: CInt }

  private struct Request {
    let signal: DispatchSemaphore
    var answer: Result<OwnedDescriptor, Failure>?
  }

  private struct State {
    var last = 0
    var requests: [Int: Request] = [:]
  }

  /// The time limit: a disk that has to start, or a server of files that does not answer.
  private static let limit = DispatchTimeInterval.seconds(30)

  private let state = Mutex(State())

  /// Requests a file, and waits for it.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - send: Sends the request with its number.
  /// - Returns: A descriptor, or the negative of an error number.
  func open(_ path: [UInt8], _ send: (_ request: Int) -> Void) -> CInt {
    let signal = DispatchSemaphore(value: 0)
    let number = state.withLock { state in
      state.last += 1
      state.requests[state.last] = Request(signal: signal)
      return state.last
    }
    send(number)
    _ = signal.wait(timeout: .now() + Self.limit)
    switch state.withLock({ $0.requests.removeValue(forKey: number) })?.answer {
    case .success(let file):
      let descriptor = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
      return descriptor >= 0 ? descriptor : -errno
    case .failure(let failure): return -failure.number
    case nil: return -ETIMEDOUT
    }
  }

  /// Sets the answer to a request; one that is not waited for is closed.
  func answer(_ number: Int, _ answer: Result<OwnedDescriptor, Failure>) {
    let signal = state.withLock { state in
      guard state.requests[number]?.answer == nil else { return DispatchSemaphore?.none }
      state.requests[number]?.answer = answer
      return state.requests[number]?.signal
    }
    signal?.signal()
  }
}
