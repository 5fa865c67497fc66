import Dispatch
import GstPlayer
import TestSupport
import Testing

@testable import AVFoundation

/// Tests of the logs of an item, on an output that plays in real time.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct LogTests {
  private let record = Record()

  @Test("A playback is in the access log of its item, also after another item has followed")
  func access() async throws {
    try await withSilentPlayers {
      let path = try await Media.sine(seconds: 0.5)
      try await withHTTPServer { server in
        let uri = server.script("/a.flac", try .file(path))
        let (item, next) = (AVPlayerItem(url: try #require(URL(string: uri))), AVPlayerItem(url: try await sine(20)))
        #expect(item.accessLog() == nil)
        let added = record.notifications(AVPlayerItem.newAccessLogEntryNotification, of: item, as: "added")
        let started = Date()
        let player = AVQueuePlayer(items: [item, next])
        player.play()
        try await record.first("added")
        let event = try #require(item.accessLog()?.events.first)
        #expect(item.accessLog()?.events.count == 1)
        #expect(event.uri == uri && event.numberOfStalls == 0 && event.startupTime > 0)
        #expect(abs(event.durationWatched - 0.5) < 0.25)
        #expect(event.numberOfBytesTransferred == Int64(try Data(contentsOf: URL(fileURLWithPath: path)).count))
        let date = try #require(event.playbackStartDate)
        #expect(date > started.addingTimeInterval(-1) && date < Date())
        #expect(event.playbackStartOffset == 0 && event.numberOfMediaRequests < 0 && event.serverAddress == nil)
        let log = try #require(item.accessLog())
        #expect(log.extendedLogDataStringEncoding == String.Encoding.utf8.rawValue)
        let lines = String(decoding: try #require(log.extendedLogData()), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3 && lines[0] == "#Version: 1.0")
        let names = lines[1].split(separator: " ").dropFirst().map(String.init)
        let values = lines[2].split(separator: " ").map(String.init)
        #expect(names.count == values.count)
        let fields = Dictionary(zip(names, values)) { first, _ in first }
        #expect(fields["uri"] == uri && fields["bytes"] == "\(event.numberOfBytesTransferred)")
        #expect(fields["c-startup-time"] == "\(event.startupTime)" && fields["cs-guid"] == "-")
        #expect(fields["sc-count"] == "-" && fields["c-stalls"] == "0" && fields["c-switch-bitrate"] == "-")
        #expect(item.errorLog() == nil)
        #expect(next.accessLog()?.events.map(\.numberOfBytesTransferred) == [-1])
        NotificationCenter.default.removeObserver(added)
      }
    }
  }

  @Test("The first of six hundred items has its log and its notification")
  func manyItems() async throws {
    try await withSilentPlayers {
      let (first, url) = (AVPlayerItem(url: try await sine(20)), URL(fileURLWithPath: Media.missing))
      let added = record.notifications(AVPlayerItem.newAccessLogEntryNotification, of: first, as: "added")
      let player = AVQueuePlayer(items: [first] + (2...600).map { _ in AVPlayerItem(url: url) })
      player.play()
      try await player.reaches(\.timeControlStatus, "playing") { $0.timeControlStatus == .playing }
      #expect(first.accessLog()?.events.count == 1)
      player.removeAllItems()
      try await record.first("added")
      #expect(first.accessLog()?.events.count == 1 && player.items().isEmpty)
      NotificationCenter.default.removeObserver(added)
    }
  }

  @Test("A line of a log has its date in UTC, quotes texts with spaces, and shows unknown values as dashes")
  func extendedLine() {
    let line = ExtendedLog.line(
      date: Date(timeIntervalSince1970: 1_000_000_000.25),
      ["http://a/b", "a \"b\"\nc", nil, "", "-5"])
    #expect(line == "2001-09-09 01:46:40.250 http://a/b \"a \"\"b\"\" c\" - - -5")
    #expect(ExtendedLog.line(date: nil, ["1"]) == "- - 1")
  }

  @Test("A failure is in the error log of its item, with the code and the domain of the item's error")
  func failure() async throws {
    try await withSilentPlayers {
      let url = URL(fileURLWithPath: Media.missing)
      let item = AVPlayerItem(url: url)
      let added = record.notifications(AVPlayerItem.newErrorLogEntryNotification, of: item, as: "added")
      let player = AVPlayer(playerItem: item)
      player.play()
      try await record.first("added")
      let events = try #require(item.errorLog()?.events)
      #expect(events.count == 1)
      let event = try #require(events.first)
      #expect(event.uri == url.absoluteString && event.date != nil && event.errorComment?.isEmpty == false)
      #expect(event.errorDomain == NSURLErrorDomain)
      #expect(event.errorStatusCode == URLError.Code.fileDoesNotExist.rawValue)
      let text = String(decoding: try #require(item.errorLog()?.extendedLogData()), as: UTF8.self)
      #expect(text.hasPrefix("#Version: 1.0\n#Fields: date time uri cs-guid s-ip status domain comment\n"))
      #expect(text.contains(" \(url.absoluteString) - - \(event.errorStatusCode) \(NSURLErrorDomain) "))
      // The player keeps the log of an item that has left it.
      player.replaceCurrentItem(with: nil)
      #expect(item.errorLog()?.events.count == 1)
      NotificationCenter.default.removeObserver(added)
    }
  }

  /// The codes of <http://www.openradar.me/14304140>.
  @Test(
    "A response with an HTTP status has Apple's code in the error of the item and in its error log",
    arguments: [(401, -1013, -12937), (403, -1102, -12660), (404, -1100, -12938), (500, -1011, -12666)])
  func httpStatus(status: Int, code: Int, logged: Int) async throws {
    try await withSilentPlayers {
      try await withHTTPServer { server in
        let uri = server.script("/a.flac", .status(status))
        let item = AVPlayerItem(url: try #require(URL(string: uri)))
        let added = record.notifications(AVPlayerItem.newErrorLogEntryNotification, of: item, as: "added")
        let player = AVPlayer(playerItem: item)
        try await record.first("added")
        try await item.settled()
        let error = try #require(item.error as NSError?)
        #expect(error.domain == NSURLErrorDomain && error.code == code)
        #expect(error.localizedDescription.hasSuffix("the server responds with status \(status)."))
        let event = try #require(item.errorLog()?.events.first)
        #expect(event.errorDomain == "CoreMediaErrorDomain" && event.errorStatusCode == logged)
        #expect(status == 401 || event.errorComment?.contains("\(status)") == true)
        #expect(player.currentItem === item)
        NotificationCenter.default.removeObserver(added)
      }
    }
  }

  @Test("An item that has failed is not played again, although its failure is not reported yet")
  func unreportedFailure() async {
    await withSilentPlayers {
      let player = AVPlayer()
      let gate = DispatchSemaphore(value: 0)
      // The first event holds back all later ones.
      let observation = player.player.addEventObserver { _, _ in gate.wait() }
      let entries = player.player.logEntries()
      let item = AVPlayerItem(url: URL(fileURLWithPath: Media.missing))
      player.replaceCurrentItem(with: item)
      for await case .error in entries { break }
      #expect(item.status == .unknown)
      player.play()
      #expect(player.rate == 0)
      observation.cancel()
      gate.signal()
    }
  }
}
