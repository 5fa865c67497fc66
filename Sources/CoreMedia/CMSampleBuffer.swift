// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Synchronization

/// A number of samples; of audio, one of each channel is one sample.
public typealias CMItemCount = Int

/// A parameter is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The memory for the result is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The format is not linear PCM.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The buffer was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744

/// The samples are to be aligned to 16 bytes, as they always are.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0

/// Samples of media with their format and their time.
///
/// <https://developer.apple.com/documentation/coremedia/cmsamplebuffer>
public final class CMSampleBuffer: @unchecked Sendable {  // all is immutable but `data`, which has a lock
  /// The bytes; nil after ``invalidate()``.
  private let data: Mutex<CMBlockBuffer?>
  /// The format of the samples.
  public let formatDescription: CMFormatDescription?
  private let count: CMItemCount
  private let time: CMTime

  /// Makes a buffer of the samples of audio; of audio that is not interleaved, the channels follow each other.
  package init(_ data: CMBlockBuffer, _ format: CMFormatDescription, samples: CMItemCount, at time: CMTime) {
    self.data = Mutex(data)
    (formatDescription, count, self.time) = (format, samples, time)
  }

  /// Whether the buffer was not invalidated.
  public var isValid: Bool { dataBuffer != nil }

  /// Whether the bytes can be read; false after ``invalidate()``.
  public var dataReadiness: DataReadiness { isValid ? .ready : .failed(kCMSampleBufferError_Invalidated) }

  /// The state of the bytes of a buffer.
  public enum DataReadiness: Hashable, Sendable {
    /// The bytes can be read.
    case ready
    /// The bytes cannot be read, with the code of the error.
    case failed(OSStatus)
  }

  /// The bytes; nil after ``invalidate()``.
  public var dataBuffer: CMBlockBuffer? { data.withLock { $0 } }

  /// The number of samples; 0 after ``invalidate()``.
  public var numSamples: CMItemCount { isValid ? count : 0 }

  /// The time of the first sample; `invalid` after ``invalidate()``.
  public var presentationTimeStamp: CMTime { isValid ? time : .invalid }

  /// The duration of the samples; `invalid` after ``invalidate()``.
  public var duration: CMTime {
    isValid ? CMTime(value: CMTimeValue(count), timescale: time.timescale) : .invalid
  }

  /// The number of bytes; 0 after ``invalidate()``.
  public var totalSampleSize: Int { dataBuffer?.dataLength ?? 0 }

  /// Releases the bytes; those that are in use stay.
  public func invalidate() throws { data.withLock { $0 = nil } }

  /// Calls a function with a list of the buffers of the samples: one, or one for each channel that is not interleaved.
  ///
  /// - Throws: An error with the code of ``CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(_:bufferListSizeNeededOut:bufferListOut:bufferListSize:blockBufferAllocator:blockBufferMemoryAllocator:flags:blockBufferOut:)``,
  ///   and the errors of the function.
  public func withAudioBufferList<Result>(
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
  ) throws -> Result {
    let channels = Int(formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame ?? 1)
    let list = unsafe AudioBufferList.allocate(maximumBuffers: channels)
    defer { unsafe list.unsafeMutablePointer.deallocate() }
    var block: CMBlockBuffer?
    let status = unsafe CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      self, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer,
      bufferListSize: AudioBufferList.sizeInBytes(maximumBuffers: channels), blockBufferAllocator: nil,
      blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: &block)
    guard status == noErr, let block else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    return try unsafe body(list, block)
  }
}

/// Returns the bytes of a buffer; nil after it was invalidated.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// Returns the format of the samples.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// Returns the number of samples; 0 after the buffer was invalidated.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// Returns the time of the first sample; `invalid` after the buffer was invalidated.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.presentationTimeStamp }

/// Returns the time of the first sample at the output, which is that in the media.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the duration of the samples; `invalid` after the buffer was invalidated.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Returns the number of bytes; 0 after the buffer was invalidated.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int { sbuf.totalSampleSize }

/// Returns whether the buffer was not invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Returns whether the bytes can be read.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Releases the bytes of a buffer; those that are in use stay.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  (try? sbuf.invalidate()) == nil ? kCMSampleBufferError_Invalidated : noErr
}

/// Fills a list with the buffers of samples of linear PCM: one, or one for each channel that is not interleaved.
///
/// - Parameters:
///   - sbuf: The samples.
///   - bufferListSizeNeededOut: Receives the number of bytes of the list.
///   - bufferListOut: Receives the list, whose buffers are valid as long as the block buffer exists.
///   - bufferListSize: The number of bytes at `bufferListOut`.
///   - blockBufferAllocator: Ignored.
///   - blockBufferMemoryAllocator: Ignored.
///   - flags: Ignored, because the samples are always aligned.
///   - blockBufferOut: Receives the bytes.
/// - Returns: 0, or the code of an error.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int, blockBufferAllocator: Any?,
  blockBufferMemoryAllocator: Any?, flags: UInt32, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  guard let block = sbuf.dataBuffer else { return kCMSampleBufferError_Invalidated }
  guard let format = sbuf.formatDescription?.audioStreamBasicDescription, format.mFormatID == kAudioFormatLinearPCM,
    format.mChannelsPerFrame > 0
  else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
  let isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
  let count = isPlanar ? Int(format.mChannelsPerFrame) : 1
  let size = unsafe AudioBufferList.sizeInBytes(maximumBuffers: count)
  unsafe bufferListSizeNeededOut?.pointee = size
  if let bufferListOut = unsafe bufferListOut {
    guard bufferListSize >= size else { return kCMSampleBufferError_ArrayTooSmall }
    guard let blockBufferOut = unsafe blockBufferOut else { return kCMSampleBufferError_RequiredParameterMissing }
    let list = unsafe UnsafeMutableAudioBufferListPointer(bufferListOut)
    unsafe list.count = count
    let length = block.dataLength / count
    for index in 0..<count {
      var start: UnsafeMutablePointer<Int8>?
      unsafe CMBlockBufferGetDataPointer(
        block, atOffset: index * length, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: &start)
      unsafe list[index] = AudioBuffer(
        mNumberChannels: isPlanar ? 1 : format.mChannelsPerFrame, mDataByteSize: UInt32(clamping: length),
        mData: start)
    }
    unsafe blockBufferOut.pointee = block
  }
  return noErr
}
