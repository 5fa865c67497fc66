import FoundationEssentials

/// What an ``HTTPServer`` does when one path is asked for: an honest answer, changed step by step into a dishonest one.
///
/// Places in the content count from its start, whatever range was asked for, so that a retry meets the same fault.
public struct HTTPResponse: Sendable {
  /// What the server says about the length of the content.
  enum Length: Sendable {
    case honest
    case absent
    case claimed(Int)
  }

  var status = 200
  var headers: [String] = []
  var content: [UInt8] = []
  var answers = true
  var acceptsRanges = true
  var mentionsRanges = true
  var length = Length.honest
  var bytesPerSecond: Int?
  var stallsAt: Int?
  var cutsAt: Int?
  var cutsOnce = false

  /// The content of a file, whole or in ranges.
  public static func file(_ path: String, type: String = "application/octet-stream") throws -> HTTPResponse {
    bytes(Array(try Data(contentsOf: URL(filePath: path))), type: type)
  }

  /// These bytes, whole or in ranges.
  public static func bytes(_ content: [UInt8], type: String = "application/octet-stream") -> HTTPResponse {
    HTTPResponse(headers: ["Content-Type: \(type)"], content: content)
  }

  /// A status with a short text and nothing else.
  public static func status(_ code: Int) -> HTTPResponse {
    HTTPResponse(status: code, headers: ["Content-Type: text/plain"], content: Array("\(code)\n".utf8))
  }

  /// A redirect to a URL, or to a path of the same server.
  public static func redirect(to location: String, status: Int = 302) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Location: \(location)"])
  }

  /// Nothing: the request is read and the connection kept, until the peer or the server gives up.
  public static let silence = HTTPResponse(answers: false)

  /// The same with another header, as `Name: value`.
  public func header(_ line: String) -> HTTPResponse { with { $0.headers.append(line) } }

  /// The same without `Content-Length`; the content ends with the connection.
  public func withoutLength() -> HTTPResponse { with { $0.length = .absent } }

  /// The same with a false `Content-Length`.
  public func claiming(length: Int) -> HTTPResponse { with { $0.length = .claimed(length) } }

  /// The same, always whole: ranges are ignored and declared unsupported.
  public func refusingRanges() -> HTTPResponse { with { $0.acceptsRanges = false } }

  /// The same, always whole, without a word about ranges, as servers of HTTP/1.0 answer.
  public func ignoringRanges() -> HTTPResponse {
    with {
      $0.acceptsRanges = false
      $0.mentionsRanges = false
    }
  }

  /// The same at a limited speed.
  public func throttled(to bytesPerSecond: Int) -> HTTPResponse { with { $0.bytesPerSecond = bytesPerSecond } }

  /// The same, silent from this place in the content on until ``HTTPServer/release(_:)``.
  public func stalling(at place: Int) -> HTTPResponse { with { $0.stallsAt = place } }

  /// The same, with the connection closed at this place in the content, before its end.
  public func cutting(at place: Int) -> HTTPResponse { with { $0.cutsAt = place } }

  /// The same, with the first connection closed at this place in the content, and the later ones served to the end.
  public func cuttingOnce(at place: Int) -> HTTPResponse {
    with {
      $0.cutsAt = place
      $0.cutsOnce = true
    }
  }

  private func with(_ change: (inout HTTPResponse) -> Void) -> HTTPResponse {
    var changed = self
    change(&changed)
    return changed
  }

  /// The status line and headers, and the part of the content to send, for a request with or without a range.
  func answer(to request: HTTPRequest) -> (head: String, part: Range<Int>) {
    let claimed: Int? =
      switch length {
      case .honest: content.count
      case .absent: nil
      case .claimed(let count): count
      }
    var code = status
    var part = 0..<content.count
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
    return ((["HTTP/1.1 \(code) Scripted"] + lines).joined(separator: "\r\n") + "\r\n\r\n", part)
  }
}

/// What a client asked for.
struct HTTPRequest: Sendable {
  let method: String
  let path: String
  let headers: [String: String]

  /// Reads the request line and the headers; nil when they make no sense.
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

  /// The first byte of the range asked for, nil when the whole is.
  var rangeStart: Int? { rangeBounds.first.flatMap { Int($0) } }
  /// The last byte of the range asked for, nil when it is open.
  var rangeEnd: Int? { rangeBounds.count == 2 ? Int(rangeBounds[1]) : nil }

  private var rangeBounds: [Substring] {
    guard let range = headers["range"], range.hasPrefix("bytes=") else { return [] }
    return range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
  }
}
