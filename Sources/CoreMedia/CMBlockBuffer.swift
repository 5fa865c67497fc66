// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The result of a function of block buffers that succeeded.
public let kCMBlockBufferNoErr: OSStatus = 0
/// The offset is not in the buffer.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// The bytes are not in the buffer.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704

/// Bytes of media, contiguous in memory.
///
/// The bytes may be changed through the pointers of this interface, by one thread at a time.
///
/// <https://developer.apple.com/documentation/coremedia/cmblockbuffer>
@safe public final class CMBlockBuffer: @unchecked Sendable {  // the program guards changes
  fileprivate let memory: UnsafeMutableRawBufferPointer

  /// Copies bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe memory.copyMemory(from: bytes)
  }

  deinit { unsafe memory.deallocate() }

  /// The number of bytes.
  public var dataLength: Int { unsafe memory.count }

  /// Whether the bytes are contiguous; always true.
  public var isContiguous: Bool { true }

  /// Returns a copy of the bytes.
  public func dataBytes() throws -> Data { unsafe Data(UnsafeRawBufferPointer(memory)) }

  /// Copies as many bytes as fit into memory.
  ///
  /// - Throws: An error with ``kCMBlockBufferBadLengthParameterErr`` if the memory is larger than the buffer.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
    guard unsafe destination.count <= memory.count else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBadLengthParameterErr))
    }
    unsafe destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory.prefix(destination.count)))
  }

  /// Returns the result of a function of the bytes from an offset.
  ///
  /// - Throws: An error with ``kCMBlockBufferBadOffsetParameterErr``, and the errors of the function.
  public func withUnsafeMutableBytes<Result>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    guard offset >= 0, offset <= dataLength else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBadOffsetParameterErr))
    }
    return try unsafe body(UnsafeMutableRawBufferPointer(rebasing: memory.dropFirst(offset)))
  }
}

/// Returns the number of bytes.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Copies bytes of a buffer to memory.
///
/// - Returns: ``kCMBlockBufferNoErr``, or the code of the error of the offset or the length; nothing is copied then.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  guard offsetToData >= 0, offsetToData <= theSourceBuffer.dataLength else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  guard dataLength >= 0, dataLength <= theSourceBuffer.dataLength - offsetToData else {
    return kCMBlockBufferBadLengthParameterErr
  }
  if let start = unsafe theSourceBuffer.memory.baseAddress {
    unsafe destination.copyMemory(from: start + offsetToData, byteCount: dataLength)
  }
  return kCMBlockBufferNoErr
}

/// Returns a pointer to the bytes from an offset, which is valid as long as the buffer exists.
///
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The offset of the first byte.
///   - lengthAtOffsetOut: Receives the number of bytes at the pointer.
///   - totalLengthOut: Receives the number of bytes of the buffer.
///   - dataPointerOut: Receives the pointer.
/// - Returns: ``kCMBlockBufferNoErr``, or ``kCMBlockBufferBadOffsetParameterErr``.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?, dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>?
) -> OSStatus {
  guard offset >= 0, offset < theBuffer.dataLength, let start = unsafe theBuffer.memory.baseAddress else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  unsafe lengthAtOffsetOut?.pointee = theBuffer.dataLength - offset
  unsafe totalLengthOut?.pointee = theBuffer.dataLength
  unsafe dataPointerOut?.pointee = (start + offset).assumingMemoryBound(to: Int8.self)
  return kCMBlockBufferNoErr
}
