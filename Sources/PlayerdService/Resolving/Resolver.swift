import EngineProcess
import Glibc
import Playback
import PlayerdConfiguration
import PlayerdSystem
import Synchronization

/// Resolves the addresses of the key `resolver-for` with the user's command, when they are added and before they play.
///
/// A result is used until it expires, or for a minute if the command does not state that.
final class Resolver: MediaResolver {
  /// The time limit of the command.
  static let timeout = Duration.seconds(60)
  /// The time for which a result without an expiry is used, so that an added track plays without another run.
  static let lifetime = 60.0
  /// The limit of results that are kept.
  private static let limit = 256

  private struct Kept {
    var media: ResolverOutput.Media
    /// The Unix time at which it expires.
    var expiry: Double
    /// The number of results that were kept before it.
    var number: Int
  }

  private let settings: Settings
  private let timeout: Duration
  /// Returns the Unix time.
  private let time: @Sendable () -> Double
  private let runs = SeparateCalls(label: "org.playerd.resolver")
  private let kept = Mutex<(media: [String: Kept], count: Int)>(([:], 0))

  init(
    _ settings: Settings, timeout: Duration = Resolver.timeout,
    time: @escaping @Sendable () -> Double = { Double(Glibc.time(nil)) }
  ) { (self.settings, self.timeout, self.time) = (settings, timeout, time) }

  /// Which addresses are resolved now.
  var rules: [ResolverRule] { settings.current.resolverRules }

  func resolves(_ address: String) -> Bool { settings.current.resolves(address) }

  func resolve(_ address: String, isRenewed: Bool) async throws(PlayerError) -> ResolvedMedia {
    let now = time()
    if !isRenewed, let kept = kept.withLock({ $0.media[address] }), now < kept.expiry {
      return ResolvedMedia(uri: kept.media.uri, headers: kept.media.headers, isKept: true)
    }
    let output = try await output(for: address)
    guard !output.isList, let media = output.entries.first?.media else {
      throw Self.failure("the address is a playlist of \(counted(output.entries.count, "track")); open it again")
    }
    keep(media, of: address)
    return ResolvedMedia(uri: media.uri, headers: media.headers)
  }

  /// Runs the command for an address, and keeps the media of its tracks.
  func entries(of address: String) async throws(PlayerError) -> ResolverOutput {
    let output = try await output(for: address)
    for entry in output.entries { if let media = entry.media { keep(media, of: entry.address ?? address) } }
    return output
  }

  private func output(for address: String) async throws(PlayerError) -> ResolverOutput {
    let (run, arguments, timeout) = (CommandRun(), settings.current.resolver + [address], timeout)
    let result: Result<ResolverOutput, CommandRun.Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        runs.run {
          continuation.resume(
            returning: Result { () throws(CommandRun.Failure) in
              try ResolverOutput(run.output(of: arguments, within: timeout, limit: ResolverOutput.byteLimit))
            })
        }
      }
    } onCancel: {
      run.cancel()
    }
    do throws(CommandRun.Failure) {
      return try result.get()
    } catch {
      throw error.isCancelled ? PlayerError(code: .cancelled, message: error.reason) : Self.failure(error.reason)
    }
  }

  private static func failure(_ reason: String) -> PlayerError {
    PlayerError(code: .resolverFailed, message: "the resolver failed: \(reason)")
  }

  private func keep(_ media: ResolverOutput.Media, of address: String) {
    let now = time()
    kept.withLock { kept in
      kept.count += 1
      kept.media[address] = Kept(media: media, expiry: media.expiry ?? now + Self.lifetime, number: kept.count)
      guard kept.media.count > Self.limit else { return }
      kept.media = kept.media.filter { $0.value.expiry > now }
      guard kept.media.count > Self.limit, let oldest = kept.media.min(by: { $0.value.number < $1.value.number }) else {
        return
      }
      kept.media[oldest.key] = nil
    }
  }
}
