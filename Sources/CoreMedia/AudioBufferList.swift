// The names come from Apple's Core Audio.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The samples of interleaved channels, or of one channel, in memory that it does not own.
///
/// <https://developer.apple.com/documentation/coreaudiotypes/audiobuffer>
@unsafe public struct AudioBuffer {
  /// The number of interleaved channels.
  public var mNumberChannels: UInt32
  /// The number of bytes.
  public var mDataByteSize: UInt32
  /// The bytes; nil for none.
  public var mData: UnsafeMutableRawPointer?

  /// Makes a buffer without bytes.
  public init() { unsafe self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

  /// Makes a buffer.
  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    unsafe (self.mNumberChannels, self.mDataByteSize, self.mData) = (mNumberChannels, mDataByteSize, mData)
  }
}

/// The start of a list of buffers: the second and later ones follow in memory, see ``UnsafeMutableAudioBufferListPointer``.
///
/// <https://developer.apple.com/documentation/coreaudiotypes/audiobufferlist>
@unsafe public struct AudioBufferList {
  /// The number of buffers.
  public var mNumberBuffers: UInt32
  /// The first buffer.
  public var mBuffers: AudioBuffer

  /// Makes a list without buffers.
  public init() { unsafe self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

  /// Makes a list with a first buffer.
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    unsafe (self.mNumberBuffers, self.mBuffers) = (mNumberBuffers, mBuffers)
  }

  /// Returns the bytes of a list of some buffers.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    unsafe MemoryLayout<AudioBufferList>.size + max(0, maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Allocates a list of empty buffers, which the caller frees.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let size = unsafe sizeInBytes(maximumBuffers: maximumBuffers)
    let bytes = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<AudioBufferList>.alignment)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let list = unsafe UnsafeMutableAudioBufferListPointer(bytes.assumingMemoryBound(to: AudioBufferList.self))
    unsafe list.count = max(1, maximumBuffers)
    return unsafe list
  }
}

/// A list of buffers as a collection.
///
/// <https://developer.apple.com/documentation/coreaudio/unsafemutableaudiobufferlistpointer>
@unsafe public struct UnsafeMutableAudioBufferListPointer: @unsafe RandomAccessCollection, @unsafe MutableCollection {
  /// The start of the list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// Makes the collection of a list.
  public init(_ list: UnsafeMutablePointer<AudioBufferList>) { unsafe unsafeMutablePointer = list }

  /// Makes the collection of a list; nil for none.
  public init?(_ list: UnsafeMutablePointer<AudioBufferList>?) {
    guard let list = unsafe list else { return nil }
    unsafe self.init(list)
  }

  /// The start of the list.
  public var unsafePointer: UnsafePointer<AudioBufferList> { unsafe UnsafePointer(unsafeMutablePointer) }

  /// The number of buffers.
  public var count: Int {
    get { unsafe Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafe unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
  }

  /// The first index, 0.
  public var startIndex: Int { 0 }
  /// The number of buffers.
  public var endIndex: Int { unsafe count }

  /// The buffer with an index, which must be less than the number of buffers.
  public subscript(index: Int) -> AudioBuffer {
    get { unsafe first[checked(index)] }
    nonmutating set { unsafe first[checked(index)] = newValue }
  }

  private func checked(_ index: Int) -> Int {
    precondition(index >= 0 && (unsafe index < count), "the list has no such buffer")
    return index
  }

  private var first: UnsafeMutablePointer<AudioBuffer> {
    let offset = unsafe MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 0
    return unsafe (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
  }
}
