/// The behaviour of the engine and of GStreamer in one run, as far as it varies; the comparison with GStreamer 1.22 has shown it.
package struct Behaviour: Hashable, Sendable {
  /// The time by which a stream is decoded ahead of the output, and is reported as read before its end, in milliseconds.
  package var readAhead = 4_000
  /// The number of errors of one failure: playbin adds errors without a reason, whose code is `unknown`.
  package var errors = 1
  /// The largest delay of a message, in milliseconds.
  package var messageDelay = 3
  /// The largest duration of a call, in milliseconds.
  package var callDuration = 20
  /// The longest time until media are opened, in milliseconds.
  package var openDuration = 150
  /// The longest time until a start is complete, in milliseconds.
  package var startDuration = 30
  /// The deviation of the output's clock in parts per million.
  package var drift = 0
  /// The delay of the first sample after a start, in milliseconds.
  package var startDelay = 0
  /// Whether the engine reports changes of the duration during playback.
  package var correctsDuration = false
  /// Whether each fill level is reported several times.
  package var bufferingStorm = false
  /// Whether the output is opened by its start, and not by the first stream that is ready and has samples.
  ///
  /// Without an output, a load then fails when it starts, and not after `settled`.
  package var opensOutputLate = false
  /// Whether the end of the last part is reported up to 300 ms later.
  package var lateEnds = false
  /// The interval in which the arrival of data is computed, in milliseconds.
  package var arrivalInterval = 500
  /// The time that a process of the engine takes to start after another one has ended, in milliseconds.
  package var engineStart = 0
  /// The time in which a file is measured after it was opened, in milliseconds.
  package var measurement = 0
  /// Whether the engine reports a gap between two samples, as every engine must; a test turns it off to break that rule.
  package var reportsGaps = true
  /// Whether the observers' calls are late.
  package var slowObservers = false

  package init() {}

  /// Creates a behaviour that differs from the usual one.
  package init(_ change: (inout Behaviour) -> Void) { change(&self) }

  /// Returns a random behaviour; each deviation is rare.
  package static func random(_ random: inout RandomSource) -> Behaviour {
    var behaviour = Behaviour()
    behaviour.readAhead = random.pick(weighted: [(60, 4_000), (10, 100), (10, 1), (15, 8_000), (5, 0)])
    behaviour.errors = random.pick(weighted: [(60, 1), (20, 2), (20, 4)])
    behaviour.messageDelay = random.pick([0, 3, 40, 200])
    behaviour.callDuration = random.pick([0, 20, 100, 800])
    behaviour.drift = random.pick([0, 0, 0, 50, -50, 500])
    behaviour.startDelay = random.pick([0, 0, 20, 80])
    behaviour.correctsDuration = random.chance(20)
    behaviour.bufferingStorm = random.chance(15)
    behaviour.lateEnds = random.chance(30)
    behaviour.slowObservers = random.chance(15)
    // A copy, so that the media and steps of a seed do not depend on these fields.
    var copy = random
    behaviour.engineStart = copy.pick([0, 20, 900, 30_000])
    behaviour.opensOutputLate = copy.chance(30)
    behaviour.measurement = copy.pick([0, 700, 20_000])
    return behaviour
  }
}
