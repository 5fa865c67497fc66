import TextCoding

/// A position in a track on the command line: a time as in ``TimeArgument``, or a percentage of the duration.
package enum PlaceArgument: Equatable, Sendable {
  case time(Duration)
  /// 0…1.
  case fraction(Double)

  package init?(argument: String) {
    guard argument.hasSuffix("%") else {
      guard let time = TimeArgument(argument: argument) else { return nil }
      self = .time(time.duration)
      return
    }
    let number = argument.dropLast()
    guard number.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
      let percent = Double(number), (0...100).contains(percent)
    else { return nil }
    self = .fraction(percent / 100)
  }

  /// Returns the position in a track of this duration; nil for a percentage if the duration is unknown.
  package func time(in duration: Duration?) -> Duration? {
    switch self {
    case .time(let time): time
    case .fraction(let fraction): duration.map { $0 * fraction }
    }
  }

  package var time: Duration? { if case .time(let time) = self { time } else { nil } }
  package var fraction: Double? { if case .fraction(let fraction) = self { fraction } else { nil } }
}
