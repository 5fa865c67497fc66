public import Foundation
import Synchronization

/// A request for data of an asset, which a delegate answers.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetresourceloadingrequest>
open class AVAssetResourceLoadingRequest: NSObject, @unchecked Sendable {  // `state` is a lock
  /// The resource that is requested; `URLRequest` of Foundation on Linux needs another module.
  public struct Request: Hashable, Sendable {
    /// The URL of the asset.
    public var url: URL?
  }

  /// The state of a request.
  enum Phase: Equatable {
    case waiting, finished, cancelled
    case failed
  }

  private struct State {
    var phase = Phase.waiting
    var data: [Data] = []
    var currentOffset: Int64
    var contentType: String?
    var contentLength: Int64 = 0
    var isByteRangeAccessSupported = false
  }

  /// The resource that is requested.
  open private(set) var request: Request
  private let state: Mutex<State>
  private let isAboutContent: Bool
  fileprivate let offset: Int64
  fileprivate let length: Int
  fileprivate let isToEnd: Bool
  /// Reports that there is data, or that the request has ended; on any thread.
  private let changed: @Sendable () -> Void

  init(
    _ url: URL, offset: Int64, length: Int, isToEnd: Bool = false, isAboutContent: Bool = false,
    changed: @escaping @Sendable () -> Void
  ) {
    request = Request(url: url)
    state = Mutex(State(currentOffset: offset))
    (self.offset, self.length, self.isToEnd) = (offset, length, isToEnd)
    (self.isAboutContent, self.changed) = (isAboutContent, changed)
  }

  /// Whether the delegate has finished the request, or failed to.
  open var isFinished: Bool { [.finished, .failed].contains(state.withLock { $0.phase }) }
  /// Whether the data is not needed any more.
  open var isCancelled: Bool { state.withLock { $0.phase } == .cancelled }

  /// The properties that the delegate is to set; nil if they are known.
  open var contentInformationRequest: AVAssetResourceLoadingContentInformationRequest? {
    isAboutContent ? AVAssetResourceLoadingContentInformationRequest(self) : nil
  }

  /// The data that the delegate is to provide.
  open var dataRequest: AVAssetResourceLoadingDataRequest? { AVAssetResourceLoadingDataRequest(self) }

  /// Finishes the request: all data was provided.
  open func finishLoading() { end(.finished) }

  /// Finishes the request with an error, which ends playback; with nil, as ``finishLoading()`` does.
  open func finishLoading(with error: (any Error)?) { end(error == nil ? .finished : .failed) }

  private func end(_ phase: Phase) {
    let isFirst = state.withLock { state in
      guard state.phase == .waiting else { return false }
      state.phase = phase
      return true
    }
    if isFirst { changed() }
  }

  /// Cancels the request; returns false if it has ended.
  func cancel() -> Bool {
    state.withLock { state in
      guard state.phase == .waiting else { return false }
      (state.phase, state.data) = (.cancelled, [])
      return true
    }
  }

  /// Removes and returns the data that was provided, and the state after it.
  func takeData() -> (data: [Data], phase: Phase) {
    state.withLock { state in
      defer { state.data = [] }
      return (state.data, state.phase)
    }
  }

  // MARK: Access for its parts

  fileprivate func respond(with data: Data) {
    let isWanted = state.withLock { state in
      guard state.phase == .waiting, !data.isEmpty else { return false }
      state.data.append(data)
      state.currentOffset += Int64(data.count)
      return true
    }
    if isWanted { changed() }
  }

  fileprivate var currentOffset: Int64 { state.withLock { $0.currentOffset } }

  var contentType: String? {
    get { state.withLock { $0.contentType } }
    set { state.withLock { $0.contentType = newValue } }
  }

  var contentLength: Int64 {
    get { state.withLock { $0.contentLength } }
    set { state.withLock { $0.contentLength = max(0, newValue) } }
  }

  var isByteRangeAccessSupported: Bool {
    get { state.withLock { $0.isByteRangeAccessSupported } }
    set { state.withLock { $0.isByteRangeAccessSupported = newValue } }
  }
}

/// The properties of a resource, which a delegate sets.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetresourceloadingcontentinformationrequest>
open class AVAssetResourceLoadingContentInformationRequest: NSObject, @unchecked Sendable {  // the request has a lock
  private let request: AVAssetResourceLoadingRequest

  init(_ request: AVAssetResourceLoadingRequest) { self.request = request }

  /// The type of the media; not used, because the data shows it.
  open var contentType: String? {
    get { request.contentType }
    set { request.contentType = newValue }
  }

  /// The number of bytes; 0 if it is unknown.
  open var contentLength: Int64 {
    get { request.contentLength }
    set { request.contentLength = newValue }
  }

  /// Whether data from another offset than 0 can be provided, so that the player can seek.
  open var isByteRangeAccessSupported: Bool {
    get { request.isByteRangeAccessSupported }
    set { request.isByteRangeAccessSupported = newValue }
  }
}

/// The data that a delegate provides, in order from an offset.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetresourceloadingdatarequest>
open class AVAssetResourceLoadingDataRequest: NSObject, @unchecked Sendable {  // the request has a lock
  private let request: AVAssetResourceLoadingRequest

  init(_ request: AVAssetResourceLoadingRequest) { self.request = request }

  /// The offset of the first byte.
  open var requestedOffset: Int64 { request.offset }
  /// The number of bytes.
  open var requestedLength: Int { request.length }
  /// Whether all data up to the end is requested.
  open var requestsAllDataToEndOfResource: Bool { request.isToEnd }
  /// The offset after the data that was provided.
  open var currentOffset: Int64 { request.currentOffset }

  /// Provides the next data.
  open func respond(with data: Data) { request.respond(with: data) }
}
