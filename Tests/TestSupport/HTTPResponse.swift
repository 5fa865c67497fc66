import FoundationEssentials

/// The response of an ``HTTPServer`` to one path: a correct response, and methods that add one fault each.
///
/// Offsets count from the start of the content, whatever range was requested, so that a retry meets the same fault.
public struct HTTPResponse: Sendable {
  /// The declared length of the content.
  enum Length: Sendable {
    case honest
    case absent
    case claimed(Int)
  }

  var status = 200
  var headers: [String] = []
  /// Headers that are not UTF-8.
  var rawHeaders: [[UInt8]] = []
  var content: [UInt8] = []
  var answers = true
  var acceptsRanges = true
  var mentionsRanges = true
  var length = Length.honest
  var bytesPerSecond: Int?
  var stallsAt: Int?
  var cutsAt: Int?
  var cutsOnce = false
  var required: (name: String, value: String)?
  var pace: (clock: DeliveryClock, pace: DeliveryClock.Pace)?

  /// Returns a response with the content of a file, whole or in ranges.
  public static func file(_ path: String, type: String = "application/octet-stream") throws -> HTTPResponse {
    bytes(Array(try Data(contentsOf: URL(filePath: path))), type: type)
  }

  /// Returns a response with these bytes, whole or in ranges.
  public static func bytes(_ content: [UInt8], type: String = "application/octet-stream") -> HTTPResponse {
    HTTPResponse(headers: ["Content-Type: \(type)"], content: content)
  }

  /// Returns a status with a short text.
  public static func status(_ code: Int) -> HTTPResponse {
    HTTPResponse(status: code, headers: ["Content-Type: text/plain"], content: Array("\(code)\n".utf8))
  }

  /// Returns a redirect to a URL, or to a path of the same server.
  public static func redirect(to location: String, status: Int = 302) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Location: \(location)"])
  }

  /// A missing response: the request is read, and the connection stays open until the client or the server closes it.
  public static let silence = HTTPResponse(answers: false)

  /// Returns a copy with another header in the form `Name: value`.
  public func header(_ line: String) -> HTTPResponse { with { $0.headers.append(line) } }

  /// Returns a copy with another header, whose value has these bytes.
  public func header(_ name: String, bytes: [UInt8]) -> HTTPResponse {
    with { $0.rawHeaders.append(Array("\(name): ".utf8) + bytes) }
  }

  /// Returns a copy that answers 403 to requests without this header.
  public func requiring(_ name: String, _ value: String) -> HTTPResponse { with { $0.required = (name, value) } }

  /// Returns a copy without `Content-Length`; the content ends with the connection.
  public func withoutLength() -> HTTPResponse { with { $0.length = .absent } }

  /// Returns a copy with a false `Content-Length`.
  public func claiming(length: Int) -> HTTPResponse { with { $0.length = .claimed(length) } }

  /// Returns a copy that ignores ranges and declares them unsupported.
  public func refusingRanges() -> HTTPResponse { with { $0.acceptsRanges = false } }

  /// Returns a copy that ignores ranges without declaring it, as HTTP/1.0 servers do.
  public func ignoringRanges() -> HTTPResponse {
    with {
      $0.acceptsRanges = false
      $0.mentionsRanges = false
    }
  }

  /// Returns a copy with limited speed.
  public func throttled(to bytesPerSecond: Int) -> HTTPResponse { with { $0.bytesPerSecond = bytesPerSecond } }

  /// Returns a copy that is sent at a pace, in the time of a clock.
  public func paced(_ pace: DeliveryClock.Pace, by clock: DeliveryClock) -> HTTPResponse {
    with { $0.pace = (clock, pace) }
  }

  /// Returns a copy that stalls at this offset in the content until ``HTTPServer/release(_:)``.
  public func stalling(at place: Int) -> HTTPResponse { with { $0.stallsAt = place } }

  /// Returns a copy that closes the connection at this offset in the content, before its end.
  public func cutting(at place: Int) -> HTTPResponse { with { $0.cutsAt = place } }

  /// Returns a copy that closes the first connection at this offset, and serves later ones to the end.
  public func cuttingOnce(at place: Int) -> HTTPResponse {
    with {
      $0.cutsAt = place
      $0.cutsOnce = true
    }
  }

  /// Returns a copy whose text contains other words.
  public func replacing(_ words: String, with others: String) -> HTTPResponse {
    with { $0.content = Array(String(decoding: content, as: UTF8.self).replacing(words, with: others).utf8) }
  }

  private func with(_ change: (inout HTTPResponse) -> Void) -> HTTPResponse {
    var changed = self
    change(&changed)
    return changed
  }

  /// Returns the status line and headers, and the range of the content to send, for a request with or without a range.
  func answer(to request: HTTPRequest) -> (head: [UInt8], part: Range<Int>) {
    let claimed: Int? =
      switch length {
      case .honest: content.count
      case .absent: nil
      case .claimed(let count): count
      }
    var code = status
    var part = 0..<content.count
    if let required, request.headers[required.name.lowercased()] != required.value {
      return (Array("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8), 0..<0)
    }
    var lines = headers + ["Connection: close"]
    if mentionsRanges { lines.append("Accept-Ranges: \(acceptsRanges ? "bytes" : "none")") }
    if status == 200, acceptsRanges, let first = request.rangeStart {
      let end = min(content.count, (request.rangeEnd ?? content.count - 1) + 1)
      let total = claimed.map(String.init) ?? "*"
      if first < end {
        code = 206
        part = first..<end
        lines.append("Content-Range: bytes \(first)-\(end - 1)/\(total)")
      } else {
        code = 416
        part = 0..<0
        lines.append("Content-Range: bytes */\(total)")
      }
    }
    if let claimed { lines.append("Content-Length: \(code == status ? claimed : part.count)") }
    let fields = (["HTTP/1.1 \(code) Scripted"] + lines).map { Array($0.utf8) } + rawHeaders + [[]]
    return (fields.flatMap { $0 + Array("\r\n".utf8) }, part)
  }
}

/// A request of a client.
struct HTTPRequest: Sendable {
  let method: String
  let path: String
  let headers: [String: String]

  /// Reads the request line and the headers; returns nil if they are invalid.
  init?(_ head: String) {
    let lines = head.split(whereSeparator: \.isNewline)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, let path = words[1].split(separator: "?").first else { return nil }
    method = String(words[0])
    self.path = String(path)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = String(parts[1].drop(while: \.isWhitespace))
    }
    self.headers = headers
  }

  /// The first byte of the requested range, nil for the whole content.
  var rangeStart: Int? { rangeBounds.first.flatMap { Int($0) } }
  /// The last byte of the requested range, nil for an open range.
  var rangeEnd: Int? { rangeBounds.count == 2 ? Int(rangeBounds[1]) : nil }

  private var rangeBounds: [Substring] {
    guard let range = headers["range"], range.hasPrefix("bytes=") else { return [] }
    return range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
  }
}
