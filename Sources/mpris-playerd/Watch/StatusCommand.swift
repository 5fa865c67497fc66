import ArgumentParser
import DBus
import Logging

/// `mpris-playerd status`: what plays, once.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print what plays now.",
    discussion: "The exit status is 69 when no daemon runs; none is started.")

  @Flag(help: "One JSON object.")
  var json = false

  func run() async throws {
    let log = Logger(label: Names.executable)
    let loop = EventLoop(name: "status")
    defer { loop.stop() }
    let connection = try await SessionBus.connect(on: loop, log)
    guard let owner = await connection.owner(of: try Names.mpris(separate: false)) else {
      log.error("no instance is running")
      throw ExitStatus.unavailable
    }
    do {
      let player = WatchedPlayer(
        mpris: try await connection.properties(of: Names.playerInterface, at: Names.mprisPath, of: owner),
        monitor: try await connection.properties(of: Names.monitorInterface, at: Names.objectPath, of: owner))
      let queue = try await connection.properties(of: Names.controlInterface, at: Names.objectPath, of: owner)
      let status = PlayerStatus(
        player: player, position: player.position(at: monotonicMicroseconds()),
        queueIndex: queue["QueueIndex"]?.asInt64.flatMap { $0 >= 0 ? $0 : nil },
        queueCount: queue["QueueCount"]?.asInt64 ?? 0)
      _ = StandardOutput.write((json ? status.json : status.text) + "\n")
    } catch {
      log.error("the daemon does not answer: \(error.message)")
      throw ExitStatus.unavailable
    }
  }
}

/// What `status` prints.
struct PlayerStatus {
  var player: WatchedPlayer
  var position: Int64?
  var queueIndex: Int64?
  var queueCount: Int64

  var json: String {
    jsonLine([
      "status": .string(player.status), "title": JSONValue(player.title), "artist": JSONValue(player.artist),
      "album": JSONValue(player.album), "uri": JSONValue(player.uri), "trackId": JSONValue(player.trackID),
      "position": JSONValue(microseconds: position), "duration": JSONValue(microseconds: player.duration),
      "rate": .number(player.rate), "volume": .number(player.volume), "loop": .string(player.loop),
      "shuffle": .boolean(player.isShuffled), "timeControlStatus": .string(player.timeControlStatus),
      "reasonForWaitingToPlay": .string(player.reasonForWaiting),
      "bufferingPercent": .integer(player.bufferingPercent),
      "queueIndex": queueIndex.map { .integer($0) } ?? .null, "queueCount": .integer(queueCount),
    ])
  }

  var text: String {
    var lines = [TrackTitle.text(player.title, player.artist), player.album ?? ""].filter { !$0.isEmpty }
    var state = [player.status]
    if player.timeControlStatus == "waitingToPlay" { state.append("waiting (\(player.reasonForWaiting))") }
    if let position {
      state.append(ClockTime.text(position) + (player.duration.map { " / " + ClockTime.text($0) } ?? ""))
    }
    if let queueIndex { state.append("track \(queueIndex + 1) of \(queueCount)") }
    state.append("volume \(Int((min(max(0, player.volume), 100) * 100).rounded())) %")
    if player.rate != 1 { state.append("rate \(player.rate)") }
    if player.loop != "None" { state.append("loop \(player.loop)") }
    if player.isShuffled { state.append("shuffled") }
    lines.append(state.joined(separator: ", "))
    return lines.map(\.withoutControls).joined(separator: "\n")
  }
}
