import CoreMedia
import Foundation
import Testing

/// Times in values, dictionaries and texts.
@Suite("Times in containers") struct CMTimeContainerTests {
  private static let times = [
    CMTime.zero, .invalid, .indefinite, .positiveInfinity, .negativeInfinity, rounded(.min, .max, epoch: .max),
    time(1800, 600, epoch: -1),
  ]

  @Test("An NSValue returns the time that it was made with", arguments: times)
  func value(time: CMTime) {
    #expect(Fields(NSValue(time: time).timeValue) == Fields(time))
    #expect(NSValue(time: time) == NSValue(time: time))
    let timeRange = CMTimeRange(start: time, duration: .indefinite)
    let returned = NSValue(timeRange: timeRange).timeRangeValue
    #expect(Fields(returned.start) == Fields(time) && Fields(returned.duration) == Fields(.indefinite))
    let mapping = NSValue(timeMapping: CMTimeMapping(source: timeRange, target: .zero)).timeMappingValue
    #expect(Fields(mapping.source.start) == Fields(time) && mapping.target == .zero)
  }

  @Test("An NSValue with other contents has no time")
  func otherValue() {
    let others = [
      NSValue(range: NSRange(location: 1, length: 2)), NSValue(timeRange: .zero), NSNumber(value: 5),
      NSValue(time: .zero),
    ]
    #expect(others.map { $0.timeValue.isValid } == [false, false, false, true])
    #expect(others.map { $0.timeRangeValue.isValid } == [false, true, false, false])
    #expect(others.allSatisfy { !$0.timeMappingValue.isValid })
    #expect(NSValue(time: time(1, 2)) != NSValue(time: time(2, 2)))
  }

  @Test("A dictionary returns the time that it was made of", arguments: times)
  func dictionary(time: CMTime) throws {
    let dictionary = try #require(CMTimeCopyAsDictionary(time, allocator: nil))
    #expect(Fields(CMTimeMakeFromDictionary(dictionary)) == Fields(time))
    let timeRange = CMTimeRange(start: time, duration: .zero)
    #expect(
      CMTimeRangeMakeFromDictionary(try #require(CMTimeRangeCopyAsDictionary(timeRange, allocator: nil))) == timeRange)
    let mapping = CMTimeMapping(source: timeRange, target: .zero)
    #expect(
      CMTimeMappingMakeFromDictionary(try #require(CMTimeMappingCopyAsDictionary(mapping, allocator: nil))) == mapping)
  }

  @Test("The dictionary of a time has the keys of CMTime.h")
  func keys() throws {
    let dictionary = try #require(CMTimeCopyAsDictionary(rounded(1, 3, epoch: 4), allocator: nil) as? [String: Int])
    #expect(dictionary == ["value": 1, "timescale": 3, "flags": 3, "epoch": 4])
    #expect(!CMTimeMakeFromDictionary(nil).isValid)
    #expect(!CMTimeMakeFromDictionary(["value": 1, "timescale": 3, "flags": "1", "epoch": 0]).isValid)
    #expect(!CMTimeRangeMakeFromDictionary(["start": 1]).isValid)
  }

  /// Texts that programs on Apple's systems have logged.
  @Test(
    "The text of a time shows value, timescale and seconds",
    arguments: [
      (time(3000, 600), "{3000/600 = 5.000}"), (time(10000, 600), "{10000/600 = 16.667}"), (.zero, "{0/1 = 0.000}"),
      (rounded(1_283_730, 600), "{1283730/600 = 2139.550, rounded}"), (time(-1, 2), "{-1/2 = -0.500}"),
      (.invalid, "{INVALID}"), (.indefinite, "{INDEFINITE}"), (.positiveInfinity, "{+INFINITY}"),
      (.negativeInfinity, "{-INFINITY}"),
    ])
  func text(time: CMTime, text: String) {
    #expect(CMTimeCopyDescription(allocator: nil, time: time) == text)
    #expect(String(reflecting: time) == text)
  }

  @Test("The texts of ranges and mappings contain those of their times")
  func texts() {
    let endless = range(.zero, .positiveInfinity)
    #expect(CMTimeRangeCopyDescription(allocator: nil, range: endless) == "{{0/1 = 0.000}, {+INFINITY}}")
    #expect(
      CMTimeMappingCopyDescription(allocator: nil, mapping: CMTimeMapping(source: .invalid, target: endless))
        == "{{{INVALID}, {INVALID}}, {{0/1 = 0.000}, {+INFINITY}}}")
  }
}
