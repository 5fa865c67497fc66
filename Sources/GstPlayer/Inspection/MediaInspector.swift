import Playback

/// Inspects media that are not played: duration, tags, artwork, tracks and chapters.
///
/// Each inspection runs on its own thread. At most `limit` inspections run at once; the others wait in the order of the
/// calls. The counterpart of `AVURLAsset.load(_:)`.
///
/// Safe to use from any isolation. A running call retains the inspector; releasing the last reference closes it.
public final class MediaInspector: Sendable {
  let inspectionQueue: InspectionQueue

  /// Makes an inspector.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of inspections that run at once; at least 1.
  ///   - timeout: The time limit of one inspection, without the time in the queue; from 0 to one hour.
  public init(concurrencyLimit limit: Int = 2, timeout: Duration = .seconds(10)) {
    inspectionQueue = InspectionQueue(limit: max(1, limit), timeout: min(max(.zero, timeout.limited), .seconds(3600)))
  }

  deinit { inspectionQueue.close() }

  /// Reads the description of the media at a URI.
  ///
  /// Video and subtitles are not decoded. If only a part of the media can be played, the known part is described.
  ///
  /// - Parameter uri: An absolute URI of any scheme that can be played.
  /// - Returns: The description.
  /// - Throws: ``/Playback/PlayerError`` with the same code that playing the media would report; `load-timeout` after
  ///   the time-out; `cancelled` as soon as the task is cancelled or the inspector is closed.
  public func inspect(_ uri: String) async throws(PlayerError) -> MediaDescription {
    try await inspect(Inspection(uri))
  }

  /// Reads the description of the media of an item, with the item's HTTP headers.
  ///
  /// It describes the whole media, also if the item is only a part of it.
  ///
  /// - Parameter item: The item.
  /// - Returns: The description.
  /// - Throws: The same errors as ``inspect(_:)-(String)``.
  public func inspect(_ item: Player.Item) async throws(PlayerError) -> MediaDescription {
    try await inspect(Inspection(item.uri, headers: item.httpHeaders))
  }

  private func inspect(_ inspection: Inspection) async throws(PlayerError) -> MediaDescription {
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        inspection.deliver { waiter.resume(returning: $0) }
        inspectionQueue.enter(inspection)
      }
    } onCancel: {
      inspectionQueue.withdraw(inspection)
    }
    return try answer.get()
  }

  /// Starts to read the description of the media at a URI, and calls `completion` with the result of ``inspect(_:)``.
  ///
  /// The completion may be called before this method returns, and on any thread.
  ///
  /// - Returns: A function that cancels the inspection.
  package func begin(
    _ uri: String, headers: HTTPRequestHeaders? = nil,
    completion: @escaping @Sendable (Result<MediaDescription, PlayerError>) -> Void
  ) -> @Sendable () -> Void {
    let inspection = Inspection(uri, headers: headers)
    inspection.deliver(to: completion)
    inspectionQueue.enter(inspection)
    return { [inspectionQueue] in inspectionQueue.withdraw(inspection) }
  }

  /// Ends running and waiting inspections with the error `cancelled`, and rejects later calls with the same error.
  public func close() { inspectionQueue.close() }
}
