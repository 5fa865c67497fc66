public import Foundation

/// A property that is loaded when it is needed; the name of its type is not known.
public class AVAnyAsyncProperty: CustomStringConvertible, @unchecked Sendable {  // immutable
  /// The name of the property.
  public let description: String

  init(_ name: String) { description = name }
}

/// A property of a type that is loaded when it is needed.
public class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {}  // immutable

/// A property of a type and its value, such as `.duration`; passed to ``AVAsynchronousKeyValueLoading/load(_:)``.
///
/// <https://developer.apple.com/documentation/avfoundation/avasyncproperty>
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {  // immutable
  /// The state of a property.
  public enum Status: CustomStringConvertible {
    /// The property is not loaded.
    case notYetLoaded
    /// The property is being loaded.
    case loading
    /// The property is loaded, with its value.
    case loaded(Value)
    /// The property could not be loaded.
    case failed(NSError)

    /// The name of the state, and the value or the error.
    public var description: String {
      switch self {
      case .notYetLoaded: "notYetLoaded"
      case .loading: "loading"
      case .loaded(let value): "loaded(\(value))"
      case .failed(let error): "failed(\(error))"
      }
    }
  }

  let status: @Sendable (Root) -> Status
  let value: @Sendable (Root) async throws -> Value

  init(
    _ name: String, status: @escaping @Sendable (Root) -> Status,
    value: @escaping @Sendable (Root) async throws -> Value
  ) {
    (self.status, self.value) = (status, value)
    super.init(name)
  }

  /// Makes a property that is known as long as its object exists; it has the name of the calling declaration.
  convenience init(_ name: String = #function, known value: @escaping @Sendable (Root) -> Value) {
    self.init(name, status: { .loaded(value($0)) }, value: { value($0) })
  }
}

extension AVAsyncProperty.Status: Equatable where Value: Equatable {}

extension AVAsyncProperty.Status: Sendable where Value: Sendable {}

/// The state of the values that an object loads.
public enum AVKeyValueStatus: Int, Sendable {
  /// Nothing is known.
  case unknown = 0
  /// The values are being loaded.
  case loading = 1
  /// The values are loaded.
  case loaded = 2
  /// The values could not be loaded.
  case failed = 3
  /// Loading was cancelled.
  case cancelled = 4
}

/// An object whose properties are loaded when they are needed.
///
/// <https://developer.apple.com/documentation/avfoundation/avasynchronouskeyvalueloading>
public protocol AVAsynchronousKeyValueLoading {
  /// Returns the state of a value; all values of an object are loaded together. Prefer ``status(of:)``.
  ///
  /// If the result is `failed` or `cancelled`, `outError` is set.
  func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus

  /// Loads values, and calls `handler` on any thread when they are loaded or have failed. Prefer ``load(_:)``.
  func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
}

extension AVAsynchronousKeyValueLoading {
  /// Loads values; a failure is the status of each, see ``statusOfValue(forKey:error:)``.
  public func loadValues(forKeys keys: [String]) async {
    await withCheckedContinuation { continuation in
      loadValuesAsynchronously(forKeys: keys) { continuation.resume() }
    }
  }

  /// Returns the state of a property.
  public func status<T>(of property: AVAsyncProperty<Self, T>) -> AVAsyncProperty<Self, T>.Status {
    property.status(self)
  }

  /// Loads a property; returns at once if it is loaded already.
  ///
  /// - Throws: ``AVError`` or `URLError`; ``AVError/Code/operationCancelled`` if the task is cancelled.
  public func load<T>(_ property: AVAsyncProperty<Self, T>) async throws -> T {
    try await property.value(self)
  }

  /// Loads several properties; the result has their types.
  ///
  /// - Throws: The first error.
  public func load<A, B, each C>(
    _ firstProperty: AVAsyncProperty<Self, A>, _ secondProperty: AVAsyncProperty<Self, B>,
    _ properties: repeat AVAsyncProperty<Self, each C>
  ) async throws -> (A, B, repeat each C) {
    (try await load(firstProperty), try await load(secondProperty), repeat try await load(each properties))
  }
}
