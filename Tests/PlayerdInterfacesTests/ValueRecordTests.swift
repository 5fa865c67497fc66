import DBus
import Testing

@testable import PlayerdInterfaces

/// Tests of the dictionaries of Control1.
@Suite struct ValueRecordTests {
  /// Returns a value of the type of a field that differs from the default.
  private static func sample(_ record: PlayerStatus, _ field: ValueField<PlayerStatus>, _ number: Int) -> DBusValue {
    switch field.read(record) {
    case .boolean(let truth)?: .boolean(!truth)
    case .double?: .double(Double(number) / 2)
    case .int64?: .int64(Int64(number))
    case .string? where field.key == "outputStatus": .string("silent")
    case .string?: .string("text \(number)")
    default:
      [
        "position", "duration", "queueIndex", "chapterIndex", "sleepRemaining", "repeatStart", "repeatEnd",
        "crossfade", "crossfadeOnSkip", "seekableStart", "seekableEnd", "engineProcessId",
      ]
      .contains(field.key) ? .int64(Int64(number)) : .string("text \(number)")
    }
  }

  @Test("Each entry of GetStatus is decoded as it was encoded")
  func status() {
    let samples = PlayerStatus.fields.enumerated().map { number, field in
      (field.key, Self.sample(PlayerStatus(), field, number + 2))
    }
    let status = PlayerStatus(Dictionary(uniqueKeysWithValues: samples))
    #expect(status.values.map(\.0) == samples.map(\.0))
    #expect(status.values.map(\.1) == samples.map(\.1))
    #expect(status.title == "text 7" && status.isMuted && status.queueIndex == 19 && status.outputStatus == .silent)
  }

  @Test("Unknown keys and values of other types keep the defaults")
  func unknown() {
    let status = PlayerStatus([
      "status": .int64(1), "rate": .string("fast"), "position": .string("here"), "outputStatus": .string("lost"),
      "invented": .boolean(true),
    ])
    #expect(status == PlayerStatus())
    #expect(QueuedTrack(["index": .uint32(7), "duration": .double(3)]).index == 7)
  }

  @Test(
    "Counts and indices that are negative or beyond 32 bits keep the defaults; times may have any value",
    arguments: [Int64.min, -1, 1 << 32, .max])
  func extremes(number: Int64) {
    let values = Dictionary(PlayerStatus.fields.map { ($0.key, DBusValue.int64(number)) }) { first, _ in first }
    let status = PlayerStatus(values)
    #expect(status.queueIndex == nil && status.queueCount == 0)
    #expect(status.chapterIndex == nil && status.chapterCount == 0 && status.bufferingPercent == 100)
    #expect(status.position == number && status.sleepRemaining == number)
    #expect(QueuedTrack(["index": .int64(number)]).index == 0)
    #expect(OpenReport(["rejectionCount": .int64(number)]).rejectionCount == 0)
    #expect(OpenReport(["rejectionCount": .int64(0xFFFF_FFFF)]).rejectionCount == 0xFFFF_FFFF)
  }

  @Test("Unknown values are omitted from the dictionary")
  func absent() {
    #expect(QueuedTrack().values.map(\.0) == ["index", "current"])
    #expect(OpenReport().values.map(\.0) == ["trackCount", "unfinished", "superseded", "rejections", "rejectionCount"])
    #expect(!PlayerStatus().values.map(\.0).contains("title"))
  }

  @Test("The keys of each dictionary are stable for scripts")
  func keys() {
    #expect(
      QueuedTrack.fields.map(\.key) == [
        "index", "current", "playIndex", "trackId", "title", "artist", "album", "uri", "duration", "errorCode",
        "errorMessage",
      ])
    #expect(
      OpenReport.fields.map(\.key) == [
        "trackCount", "precedingTitle", "unfinished", "superseded", "rejections", "rejectionCount",
      ])
    #expect(
      PlayerStatus.fields.map(\.key) == [
        "status", "timeControlStatus", "reasonForWaitingToPlay", "bufferingPercent", "trackId", "title", "artist",
        "album", "uri", "position", "duration", "rate", "volume", "muted", "loop", "shuffle", "shuffleMode",
        "queueIndex", "queueCount", "hasNext", "hasPrevious", "chapterIndex", "chapterCount", "chapterTitle",
        "sleepRemaining",
        "sleepsAfterTrack", "stopsAfterCurrent", "stopsAfterTracks", "crossfade", "crossfadeOnSkip", "consume",
        "pausedFor", "book",
        "repeatStart", "repeatEnd", "output",
        "outputName",
        "configuredOutput", "outputStatus", "itemStatus", "seekable", "seekableStart", "seekableEnd",
        "lastErrorCode", "lastErrorMessage",
        "lastErrorTrackId", "lastErrorUri", "engineProcessId", "engineSandbox",
      ])
  }
}
