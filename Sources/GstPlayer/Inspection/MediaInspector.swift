import Playback

/// Reads what media is without playing it: duration, tags, artwork, tracks and chapters.
///
/// Inspections run on threads of their own, so many at once as the limit says; the rest wait in the order in which they
/// were asked for. The counterpart of `AVURLAsset.load(_:)`.
///
/// Safe to use from any isolation. An inspector lives as long as a call to it does; dropped, it closes.
public final class MediaInspector: Sendable {
  private let desk: InspectionDesk

  /// Makes an inspector.
  ///
  /// - Parameters:
  ///   - limit: How many inspections run at once; at least 1.
  ///   - timeout: How long one may take, its wait for the others not counted; at least 0.
  public init(limit: Int = 2, timeout: Duration = .seconds(10)) {
    desk = InspectionDesk(limit: max(1, limit), timeout: max(.zero, timeout.limited))
  }

  deinit { desk.close() }

  /// Reads what the media behind a URI is.
  ///
  /// Video and subtitles are not decoded; of media that plays with a part missing, what is known is described.
  ///
  /// - Parameter uri: An absolute URI of any scheme that can be played.
  /// - Returns: The description.
  /// - Throws: ``PlayerError`` with the code that playing the media would give; `load-timeout` after the time-out;
  ///   `cancelled` as soon as the task is cancelled or the inspector closed.
  public func inspect(_ uri: String) async throws(PlayerError) -> MediaDescription {
    let inspection = Inspection(uri)
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        inspection.deliver(to: waiter)
        desk.enter(inspection)
      }
    } onCancel: {
      desk.withdraw(inspection)
    }
    return try answer.get()
  }

  /// Ends what runs and what waits with the error `cancelled`, and refuses what is asked for later.
  public func close() { desk.close() }
}
