import FoundationEssentials
import Glibc
import Playback
import Simulation

/// The program that runs simulations.
///
/// `simulate SEED [STEPS]` repeats a run and shrinks its failure. `simulate --for SECONDS [--from SEED] [--of PARTS]`
/// runs one seed after another, every PARTS-th from SEED on, until the time is over or an invariant is broken;
/// `--count NUMBER` instead of `--for` runs this many seeds.
/// `--survey 1` continues, and counts the broken invariants. `--kind NUMBER` runs only one kind of scenario, counted from 0.
/// `--record 1` records the inputs of the players, to measure the cost of the recorder.
/// `--replay FILE` replays a file of `mpris-playerd report`.
/// `simulate SEED --trace LINES` prints the last lines of the run that fails, instead of shrinking it.
@main struct Simulate {
  static func main() {
    var numbers: [UInt64] = []
    var options: [String: UInt64] = [:]
    var arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--replay", let path = arguments.dropFirst().first { finish(replay(path)) }
    while let argument = arguments.popFirst() {
      if argument.hasPrefix("--") {
        options[argument] = arguments.popFirst().flatMap { UInt64($0) }
      } else if let number = UInt64(argument) {
        numbers.append(number)
      }
    }
    let all = Simulator.Kind.allCases
    let kinds = options["--kind"].map { [all[Int($0) % all.count]] } ?? all
    if options["--for"] != nil || options["--count"] != nil {
      finish(
        run(
          kinds, for: options["--for"] ?? .max, count: options["--count"] ?? .max, from: options["--from"] ?? 1,
          parts: max(1, options["--of"] ?? 1), survey: options["--survey"] != nil,
          isRecorded: options["--record"] != nil))
    }
    guard let seed = numbers.first else {
      write(
        "usage: simulate SEED [STEPS] | simulate --for SECONDS [--from SEED] [--of PARTS] | simulate --replay FILE\n",
        to: STDERR_FILENO)
      finish(64)
    }
    let steps = numbers.dropFirst().first.map { Int($0) } ?? Simulator.usualSteps
    if let lines = options["--trace"] { finish(trace(seed, kinds, steps: steps, lines: Int(clamping: lines))) }
    finish(repeatRun(seed, kinds, steps: steps))
  }

  /// Replays a report, and prints the replayed inputs; returns the exit status.
  private static func replay(_ path: String) -> Int32 {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      write("\(path): the file cannot be read\n", to: STDERR_FILENO)
      return 66
    }
    do throws(ReportFile.Fault) {
      let report = try ReportFile(text)
      say("version \(report.header.version)")
      for line in report.header.doctor + report.header.configuration { say(line) }
      guard let recording = report.recording else {
        say("the report contains no inputs")
        return 1
      }
      let replay = Replay(recording)
      for line in replay.lines { say(line) }
      say("\(recording.inputs.count) inputs")
      if let divergence = replay.divergence {
        say(
          "from input \(divergence) on, the states differ from the recorded ones: the rules of this version are others")
      }
      guard let (input, rule) = replay.breach else { return 0 }
      say("input \(input) breaks a rule: \(rule)")
      say("a copy of the file in Tests/SimulationTests/Reports is a test of it")
      return 1
    } catch {
      write("\(path): \(error)\n", to: STDERR_FILENO)
      return 66
    }
  }

  /// Repeats a run; returns the exit status.
  private static func repeatRun(_ seed: UInt64, _ kinds: [Simulator.Kind], steps: Int) -> Int32 {
    for kind in kinds {
      let status = repeatRun(Simulator.scenario(kind, seed: seed, steps: steps), kind, seed)
      if status != 0 { return status }
    }
    return 0
  }

  /// Prints the last lines of the first run of a seed that fails; returns the exit status.
  private static func trace(_ seed: UInt64, _ kinds: [Simulator.Kind], steps: Int, lines: Int) -> Int32 {
    for kind in kinds {
      let result = Simulator.run(Simulator.scenario(kind, seed: seed, steps: steps), isTraced: true)
      guard result.breach != nil else { continue }
      for line in result.trace.suffix(lines) { say(line) }
      return 1
    }
    return 0
  }

  private static func repeatRun(_ scenario: Scenario, _ kind: Simulator.Kind, _ seed: UInt64) -> Int32 {
    let result = Simulator.run(scenario)
    say("seed \(seed): \(kind), digest \(String(result.digest, radix: 16)), \(result.statistics.summary)")
    guard let breach = result.breach else { return 0 }
    say("\(breach)\nshrinking")
    let small = Shrinker.shrink(scenario, breach)
    for line in Simulator.run(small, isTraced: true).trace.suffix(400) { say(line) }
    say(Report.test(small, breach, seed: seed))
    return 1
  }

  /// Runs seeds until the time is over or their number is reached; returns the exit status.
  private static func run(
    _ kinds: [Simulator.Kind], for seconds: UInt64, count: UInt64, from first: UInt64, parts: UInt64, survey: Bool,
    isRecorded: Bool
  ) -> Int32 {
    let end = now() + Double(seconds)
    let begin = now()
    var total = Statistics()
    var seed = first
    var counts: [(invariant: Invariant, count: Int)] = []
    var done: UInt64 = 0
    while now() < end, done < count {
      done += 1
      for kind in kinds where kinds.count == 1 || Simulator.includes(kind, seed: seed) {
        let scenario = Simulator.scenario(kind, seed: seed)
        let result = Simulator.run(scenario, isRecorded: isRecorded)
        total += result.statistics
        guard let breach = result.breach else { continue }
        if !survey { return repeatRun(scenario, kind, seed) }
        say("seed \(seed): \(kind), \(breach)")
        if let index = counts.firstIndex(where: { $0.invariant == breach.invariant }) {
          counts[index].count += 1
        } else {
          counts.append((breach.invariant, 1))
        }
      }
      seed &+= parts
    }
    for (invariant, count) in counts.sorted(by: { $0.count > $1.count }) { say("\(count) \(invariant.rawValue)") }
    let used = now(CLOCK_PROCESS_CPUTIME_ID)
    say("seeds \(first) to \(seed &- parts): \(total.summary), \(Int(now() - begin)) s, \(Int(used)) s of a processor")
    return counts.isEmpty ? 0 : 1
  }

  private static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func say(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in _ = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }

  private static func finish(_ status: Int32) -> Never { _exit(status) }
}
