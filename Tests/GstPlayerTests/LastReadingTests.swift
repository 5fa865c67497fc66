import CGst
import Testing

@testable import GstPlayer

@Suite("The last reading of an object") struct LastReadingTests {
  @Test("An object is read again only with another number, after another object, and when it was forgotten")
  func reads() throws {
    try GStreamer.initialize()
    let buffers = unsafe [gst_buffer_new(), gst_buffer_new()]
    let objects = unsafe buffers.compactMap { OpaquePointer($0) }
    defer { unsafe objects.forEach { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer($0)) } }
    try unsafe #require(objects.count == 2)
    let last = LastReading<Int?>()
    var reads = 0
    func isNew(_ index: Int, number: UInt64 = 0) -> Bool {
      let reading = unsafe last.value(of: objects[index], number: number) {
        reads += 1
        return reads == 1 ? nil : reads
      }
      #expect(reading.value == (reads == 1 ? nil : reads))
      return reading.isNew
    }
    #expect(isNew(0))
    #expect(!isNew(0))
    #expect(isNew(0, number: 1))
    #expect(!isNew(0, number: 1))
    #expect(isNew(1, number: 1))
    #expect(isNew(0, number: 1))
    last.forget()
    #expect(isNew(0, number: 1))
    #expect(reads == 5)
  }

  @Test("One reference is held, to the last object, until it is forgotten")
  func references() throws {
    try GStreamer.initialize()
    let buffers = try unsafe [#require(gst_buffer_new()), #require(gst_buffer_new())]
    defer { unsafe buffers.forEach { unsafe cgst_mini_object_unref($0) } }
    func references() -> [Int] { unsafe buffers.map { unsafe Int($0.pointee.mini_object.refcount) } }
    let last = LastReading<Int>()
    for _ in 0..<2 { _ = unsafe last.value(of: OpaquePointer(buffers[0])) { 1 } }
    #expect(references() == [2, 1])
    _ = unsafe last.value(of: OpaquePointer(buffers[1])) { 2 }
    #expect(references() == [1, 2])
    last.forget()
    #expect(references() == [1, 1])
  }
}
