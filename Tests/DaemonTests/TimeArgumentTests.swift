import ArgumentParser
import Testing

@testable import Playerd
@testable import PlayerdClient
@testable import PlayerdSystem

/// Times on the command line, and values with a unit.
@Suite("Times and units")
struct TimeArgumentTests {
  private static func parsed(_ typed: String) throws -> any ParsableCommand {
    try RootCommand.parseAsRoot(ArgumentOrder.ordered(typed.split(separator: " ").map(String.init)))
  }

  private static func message(_ typed: String) -> String? {
    do {
      _ = try parsed(typed)
      return nil
    } catch {
      return RootCommand.message(for: error)
    }
  }

  @Test(
    "A time is seconds, a clock or has units",
    arguments: [
      ("90", 90), ("1.5", 1.5), ("90.5", 90.5), ("1.500", 1.5), ("1.75", 1.75), ("1:30", 90), ("1:02:03", 3723),
      ("1:30.25", 90.25), ("1.5s", 1.5), ("1.30s", 1.3), ("45s", 45), ("45sec", 45), ("30m", 1800), ("30min", 1800),
      ("30mins", 1800), ("2hours", 7200), ("1h30m", 5400), ("1hr30min", 5400), ("1H30M", 5400), ("0", 0),
      ("1.5h", 5400), ("1.5hours", 5400), ("0.5m", 30), ("1h1.5m", 3690), ("1.250h", 4500), ("1.300H", 4680),
    ])
  func times(text: String, seconds: Double) { #expect(TimeArgument(argument: text)?.duration == .seconds(seconds)) }

  @Test(
    "Other texts are no times",
    arguments: [
      "", "1.30", "0.50", "12.05", "1:60", "1h30", "30 min", "min", "1,5", "5x", "1.30h", "1.5h30m", "1.5m3s", ".5h",
    ])
  func noTimes(text: String) { #expect(TimeArgument(argument: text) == nil) }

  @Test(
    "A number that may be minutes and seconds is refused, with a text for each meaning",
    arguments: [
      ("seek 1.30", "1:30 or 1.30s"), ("seek +1.30", "+1:30 or +1.30s"), ("seek -0.50", "-0:50 or -0.50s"),
      ("seek 1.30+", "+1:30 or +1.30s"), ("--start 2.05 x", "2:05 or 2.05s"), ("--start=2.05 x", "2:05 or 2.05s"),
      ("repeat-ab 1.30 2:00", "1:30 or 1.30s"), ("repeat-ab 1:30 2.00", "2:00 or 2.00s"),
      ("watch --at 1.30", "1:30 or 1.30s"), ("sleep 1.30", "1h30m, 1m30s, 1.30s or --at 1:30"),
      ("sleep 23:30", "23h30m, 23m30s or --at 23:30"), ("sleep 1:30", "1h30m, 1m30s or --at 1:30"),
      ("seek 1.30h", "1h30m or 1.300h"), ("seek -1.05m", "-1m05s or -1.050m"), ("sleep 1.30h", "1h30m or 1.300h"),
      ("sleep +1.15hours", "+1hours15m or +1.150hours"),
      ("sleep 25:00", "25h or 25m"), ("sleep 90:30", "90h30m or 90m30s"), ("sleep 12:00", "12h, 12m or --at 12:00"),
      ("sleep 30", "30m or 30s"), ("sleep 1.5", "1.5m or 1.5s"), ("sleep +10", "+10m or +10s"),
      ("sleep +1:30", "+1h30m or +1m30s"), ("sleep -1:30", "-1h30m or -1m30s"),
    ])
  func ambiguous(typed: String, forms: String) throws {
    let message = try #require(Self.message(typed))
    #expect(message.hasSuffix(": it is ambiguous; write \(forms)"), "\(message)")
    for form in forms.replacing(" or ", with: ", ").split(separator: ", ") {
      let words = typed.split(separator: " ").map(String.init)
      let argument = words.first { $0.contains(#/[0-9][.:][0-9]/#) && !$0.hasSuffix("2:00") } ?? ""
      guard typed.hasPrefix("seek") || typed.hasPrefix("sleep"), words.last == argument else { continue }
      #expect(Self.message("\(words[0]) \(form)") == nil, "\(form)")
    }
  }

  @Test(
    "Times that have one meaning are accepted",
    arguments: [
      "seek 1.5", "seek 90", "seek 1:30", "seek +10", "seek 1.5s", "seek 12.25%", "seek +1m", "seek 1.250", "seek 1.5h",
      "sleep 1.5h", "sleep +0.5h",
      "sleep 30min",
      "sleep 1h30m", "sleep 1:30:00", "sleep 90s", "sleep --at 23:30", "sleep --at 7:05 --after-track",
      "speed 1.5x", "speed 1.5", "speed 1.25×", "speed +0.1x", "--rate 1.5x x", "crossfade 1.30", "crossfade 2.5",
      "crossfade 6 --on-skip 1.25", "repeat-ab 1.5 2",
    ])
  func accepted(typed: String) { #expect(Self.message(typed) == nil) }

  @Test(
    "Other values are refused",
    arguments: [
      "seek 1.30.5", "sleep 30 min", "sleep --at 24:00", "sleep --at 7", "sleep 30m --at 7:00", "sleep --at 7:60",
      "sleep 60:00", "sleep 0", "sleep 90:75",
      "speed x", "speed 1.5h", "speed 1.5xx", "speed 9x", "crossfade 1:30", "crossfade 1m", "crossfade x",
    ])
  func refused(typed: String) { #expect(Self.message(typed) != nil) }

  @Test(
    "An error has the reason",
    arguments: [
      ("speed 1,5", "write 1.5"), ("speed 150%", "write 1.5"), ("speed +0,1", "write +0.1"),
      ("--rate 1,5 x", "write 1.5"),
      ("speed fast", "a speed is a number from 0.25 to 4, such as 1.25, or a change such as +0.1"),
      ("volume 0,5", "write 50, because volumes are in percent"), ("volume 12,5", "has a comma; write 12.5"),
      ("move a 2", "a track is its number in the queue, or last"),
      ("move 2 to", "a place is a number in the queue, last, or a distance such as +1 or -1"),
      ("sleep --at 25:00", "a time of day is 0:00 to 23:59, such as 7:05 or 23:30"),
      ("sleep 0", "the delay is 0; “sleep off” cancels the timer"), ("sleep 8d", "at most 7 days, or off"),
      ("pause --instance nothere", "such as playerd.instance42"), ("seek 1:75", "75 is more than 59 seconds"),
      ("seek +99:99", "99 is more than 59 seconds"), ("seek 150%", "or a part of the track: 0% to 100%"),
      ("remove 3-1", "the range “3-1” ends before its start; write 1-3"),
      ("remove 2,3", "“2,3” is not a number; write 2 3"),
      ("jump 2 3", "“jump” takes one number, or words"), ("jump 2-3", "“jump” takes one number, or words"),
      ("watch --every 0", "--every is a number of seconds from 0.01 to a billion"),
      ("config volume", "“config” prints all keys; change them in the configuration file"),
    ])
  func reasons(typed: String, reason: String) {
    #expect(Self.message(typed)?.hasSuffix(reason) == true, "\(Self.message(typed) ?? "")")
  }

  @Test(
    "An empty argument is refused",
    arguments: [
      (["jump", ""], "an empty argument is neither a number nor a word"),
      (["find", ""], "an empty argument is not a word"),
      (["playlist", "play", ""], "the name of the playlist is empty"),
      (["playlist", "delete", ""], "the name of the playlist is empty"),
      (["playlist", "rename", "", "x"], "the name of the playlist is empty"),
    ])
  func empty(arguments: [String], reason: String) {
    #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
    do { _ = try RootCommand.parseAsRoot(arguments) } catch { #expect(RootCommand.message(for: error) == reason) }
  }

  @Test("A factor is a speed")
  func factor() {
    #expect(SpeedArgument(argument: "1.5x")?.rate == 1.5 && SpeedArgument(argument: "-0.25x")?.sign == -1)
  }

  @Test("A time of day is the next one", arguments: [(0, 0, "00:00"), (7, 5, "07:05"), (23, 59, "23:59")])
  func timeOfDay(hour: Int, minute: Int, text: String) {
    let delay = ClockTime.delay(untilHour: hour, minute: minute)
    // A day of 25 hours has the end of summer time.
    #expect(delay > 0 && delay <= 25 * 3600 * 1_000_000)
    #expect(ClockTime.timeOfDay(after: delay).hasPrefix(text))
  }
}
