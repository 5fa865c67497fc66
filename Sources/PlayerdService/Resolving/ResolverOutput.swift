import EngineProcess
import FoundationEssentials
import Playback
import PlayerdSystem

/// The output of a resolver: one JSON object, or one on each line, with the names of yt-dlp.
///
/// The command is the user's, but what it writes comes from servers: everything is checked.
struct ResolverOutput: Sendable {
  /// A track, or an address that is resolved later.
  struct Entry: Equatable, Sendable {
    /// The address of the track; nil for the resolved address itself.
    var address: String?
    var metadata: Player.Item.ExternalMetadata?
    /// The media; nil if the address has to be resolved first.
    var media: Media?
  }

  /// The media of a track.
  struct Media: Equatable, Sendable {
    var uri: String
    var headers: HTTPRequestHeaders?
    /// The Unix time at which the URI expires; nil if that is unknown.
    var expiry: Double?
  }

  /// The limits of the output.
  static let byteLimit = 16 << 20
  static let entryLimit = 10_000
  private static let uriLimit = 16 << 10
  private static let headerLimit = (count: 64, bytes: 16 << 10)
  private static let textLimit = 1000
  private static let depthLimit = 4

  /// The tracks in their order.
  private(set) var entries: [Entry] = []
  /// Whether it is a playlist, even if it has a single entry.
  private(set) var isList = false
  /// Whether entries beyond ``entryLimit`` were left out.
  private(set) var isCut = false
  /// The reasons why entries were left out.
  private(set) var rejections: [String] = []

  /// Reads the output.
  ///
  /// - Throws: The reason why it cannot be used, for users.
  init(_ bytes: [UInt8]) throws(CommandRun.Failure) {
    let records = try Self.records(bytes)
    isList = records.count > 1 || records.first?.entries != nil
    if !isList, let record = records.first {
      guard record.url != nil else { throw CommandRun.Failure(reason: "its output has no “url”") }
      entries = [Entry(address: nil, metadata: record.metadata, media: try record.media())]
      return
    }
    for record in records { add(record, depth: 0) }
  }

  private static func records(_ bytes: [UInt8]) throws(CommandRun.Failure) -> [Record] {
    let decoder = JSONDecoder()
    if let record = try? decoder.decode(Record.self, from: Data(bytes)) { return [record] }
    var records: [Record] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.contains(where: { $0 > 0x20 }) {
      guard let record = try? decoder.decode(Record.self, from: Data(line)) else {
        throw CommandRun.Failure(reason: "its output is not a JSON object on each line")
      }
      records.append(record)
    }
    guard !records.isEmpty else { throw CommandRun.Failure(reason: "its output is empty") }
    return records
  }

  /// Adds a record with an address, or the records of a list in it.
  private mutating func add(_ record: Record, depth: Int) {
    guard entries.count < Self.entryLimit else {
      isCut = true
      return
    }
    if let list = record.entries {
      guard depth < Self.depthLimit else { return rejections.append("lists are nested too deeply") }
      for case let record? in list { add(record, depth: depth + 1) }
      return
    }
    do throws(CommandRun.Failure) {
      // Without an address of its own, “url” is one: of the media, or of a page that is resolved later.
      guard let url = record.url else {
        guard let page = record.webpageURL else { throw CommandRun.Failure(reason: "an entry has no “url”") }
        return entries.append(Entry(address: try Self.checked(page), metadata: record.metadata))
      }
      guard let page = record.webpageURL, page != url else {
        let media = record.headers == nil ? nil : try record.media()
        return entries.append(Entry(address: try Self.checked(url), metadata: record.metadata, media: media))
      }
      let isReference = record.type == "url" || record.type == "url_transparent"
      entries.append(
        Entry(
          address: try Self.checked(page), metadata: record.metadata, media: isReference ? nil : try record.media()))
    } catch {
      rejections.append(error.reason)
    }
  }

  /// Returns a URI if it has a valid form.
  private static func checked(_ uri: String) throws(CommandRun.Failure) -> String {
    let isPlain = uri.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    guard isPlain, uri.utf8.count <= uriLimit, FileURI.isURI(uri) else {
      throw CommandRun.Failure(reason: "“\(uri.withoutControls.excerpt)” is not an absolute URI")
    }
    return uri
  }

  /// A JSON object; names that it does not have are ignored.
  private struct Record: Decodable {
    var url: String?
    var webpageURL: String?
    var type: String?
    var headers: [String: String]?
    var title: String?
    var artist: String?
    var thumbnail: String?
    var duration: Double?
    var expiry: Double?
    var entries: [Record?]?

    private enum Key: String, CodingKey {
      case url, title, artist, uploader, thumbnail, duration, expires, entries
      case webpageURL = "webpage_url"
      case type = "_type"
      case headers = "http_headers"
    }

    init(from decoder: any Decoder) throws {
      let record = try decoder.container(keyedBy: Key.self)
      url = try record.decodeIfPresent(String.self, forKey: .url)
      webpageURL = try record.decodeIfPresent(String.self, forKey: .webpageURL)
      headers = try record.decodeIfPresent([String: String].self, forKey: .headers)
      entries = try record.decodeIfPresent([Record?].self, forKey: .entries)
      // Descriptions of another type are left out.
      func text(_ key: Key) -> String? {
        let text = try? record.decodeIfPresent(String.self, forKey: key)
        return text.flatMap { $0.isEmpty ? nil : String($0.withoutControls.prefix(ResolverOutput.textLimit)) }
      }
      type = text(.type)
      title = text(.title)
      artist = text(.artist) ?? text(.uploader)
      thumbnail = text(.thumbnail)
      duration = try? record.decodeIfPresent(Double.self, forKey: .duration)
      expiry = try? record.decodeIfPresent(Double.self, forKey: .expires)
    }

    var metadata: Player.Item.ExternalMetadata? {
      var metadata = Player.Item.ExternalMetadata()
      (metadata.title, metadata.artist) = (title, artist)
      if let duration, duration > 0, duration < 1e7 { metadata.duration = .milliseconds(Int64(duration * 1000)) }
      if let thumbnail, let uri = try? ResolverOutput.checked(thumbnail), ResolverOutput.isWeb(uri) {
        metadata.image = uri
      }
      return metadata == Player.Item.ExternalMetadata() ? nil : metadata
    }

    /// Returns the media of `url`, which must be on a web server.
    func media() throws(CommandRun.Failure) -> Media {
      let uri = try ResolverOutput.checked(url ?? "")
      guard ResolverOutput.isWeb(uri) else {
        throw CommandRun.Failure(reason: "“\(uri.excerpt)” is not an http or https URI")
      }
      return Media(uri: uri, headers: try requestHeaders(), expiry: expiry)
    }

    private func requestHeaders() throws(CommandRun.Failure) -> HTTPRequestHeaders? {
      guard let headers, !headers.isEmpty else { return nil }
      let size = headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
      guard headers.count <= ResolverOutput.headerLimit.count, size <= ResolverOutput.headerLimit.bytes else {
        throw CommandRun.Failure(reason: "its headers are too long")
      }
      // youtube-dl lists the encodings that it decodes itself.
      let fields = headers.filter { !["user-agent", "accept-encoding"].contains($0.key.lowercased()) }
      do throws(PlayerError) {
        return try HTTPRequestHeaders(fields, userAgent: headers.first { $0.key.lowercased() == "user-agent" }?.value)
      } catch {
        throw CommandRun.Failure(reason: error.message)
      }
    }
  }

  private static func isWeb(_ uri: String) -> Bool { ["http", "https"].contains(FileURI.scheme(of: uri)) }
}
