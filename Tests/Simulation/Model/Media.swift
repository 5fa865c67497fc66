/// The media of an item, and the way in which it is read.
package struct Media: Hashable, Sendable {
  /// The source of the media.
  package enum Source: Hashable, Sendable {
    /// A file on this machine.
    case file
    /// A file of a server.
    case server
    /// An endless broadcast that names its station.
    case station
    /// A live source; it cannot be paused.
    case live
  }

  /// The fault of the media; it always occurs.
  package enum Fault: Hashable, Sendable {
    case none
    /// The media cannot be opened.
    case unopenable
    /// The file is empty, or its contents are no media.
    case empty, notMedia
    /// The media is never ready, and does not fail.
    case endlessPreroll
    /// The media is damaged at a time, in milliseconds.
    case damaged(at: Int)
    /// The call that opens the media never returns.
    case hangingOpen
    /// Seeks are refused, although the media claims to support them.
    case refusedSeeks
    /// The output does not start with the media.
    case missedStart
    /// The media has no sample; nothing reports that.
    case silent
    /// The data stops at a time, in milliseconds, without an end and without an error.
    case stuck(at: Int)
    /// From a time on, in milliseconds, the media has no sample for so many milliseconds, because its time stamps jump.
    case gap(at: Int, length: Int)
    /// The time stamps jump at the end, so the last sample is due an hour later.
    case farEnd
    /// No seek is ever done.
    case endlessSeek
    /// The media is opened, and fails when its first sample is due.
    case lostStart
  }

  package var source: Source
  /// The duration in milliseconds.
  package var length: Int
  /// The duration that the media claims, in milliseconds; nil if it claims none.
  package var stated: Int?
  package var isSeekable: Bool
  /// The distance of the positions at which a tolerant seek may land, in milliseconds.
  package var seekPoints: Int
  /// The start of each chapter, in milliseconds.
  package var chapters: [Int]
  package var audioTracks: Int
  package var hasTitle: Bool
  package var fault: Fault
  package var server: Server
  /// The number of the album in the tags; nil for none.
  package var album: Int?
  /// The time from which a file is silent to its end, in milliseconds; nil if it is not.
  package var silence: Int?
  /// The resolver that finds the media of an address; nil for media that are opened by their URI.
  package var resolver: AddressResolver?
  /// The time of the received data of a station that the player keeps, in milliseconds; nil if it keeps nothing.
  package var keptTime: Int?
  /// The length of each song of a station, in milliseconds; nil for a station that names none.
  package var songTime: Int?

  package init(
    source: Source, length: Int, stated: Int?, isSeekable: Bool, seekPoints: Int, chapters: [Int], audioTracks: Int,
    hasTitle: Bool, fault: Fault, server: Server, album: Int? = nil
  ) {
    self.source = source
    self.length = length
    self.stated = stated
    self.isSeekable = isSeekable
    self.seekPoints = seekPoints
    self.chapters = chapters
    self.audioTracks = audioTracks
    self.hasTitle = hasTitle
    self.fault = fault
    self.server = server
    self.album = album
  }

  /// Returns a file without a fault.
  package static func plain(_ length: Int) -> Media {
    Media(
      source: .file, length: length, stated: length, isSeekable: true, seekPoints: 1, chapters: [], audioTracks: 1,
      hasTitle: true, fault: .none, server: .good)
  }

  var isLocal: Bool { source == .file }
  var isEndless: Bool { source == .station || source == .live }
  /// Whether the media plays from its start to its end if it is not disturbed.
  var isPlayable: Bool { fault == .none && !isEndless && server == .good && resolver == nil }
}

/// The command that finds the media behind an address.
package struct AddressResolver: Hashable, Sendable {
  /// The time that it takes, in milliseconds.
  package var time: Int
  package var fails: Bool

  /// Returns the resolver of some addresses.
  static func random(_ random: inout RandomSource) -> AddressResolver? {
    let resolver = AddressResolver(time: random.pick([50, 3_000, 12_000, 45_000]), fails: random.chance(15))
    return random.chance(30) ? resolver : nil
  }
}

/// The behaviour of a server towards one client.
package struct Server: Hashable, Sendable {
  /// The received media time per second, in percent of real time.
  package var speed: Int
  /// The received media time, in milliseconds, after which the server pauses; nil for none.
  package var stallAt: Int?
  /// The length of that pause in milliseconds.
  package var stall: Int
  /// The received media time, in milliseconds, after which the server closes the connection; nil for none.
  package var cutAt: Int?
  /// The delay of the first byte in milliseconds.
  package var delay: Int
  /// The redirects of the server; each takes a part of the delay.
  package var redirect: Redirect
  /// Whether GStreamer reports the fill level of the buffer; for segmented media it does not.
  package var isAnnounced: Bool
  /// The place from which an exact seek requests data.
  package var seekStart: SeekStart
  /// The media time that arrives at once after each request, in milliseconds; nil for the usual amount.
  package var burst: Int?

  /// The position from which an exact seek requests data; the seek is done when the target has been received.
  package enum SeekStart: Hashable, Sendable {
    case target
    /// The target or the end of the parsed data, if that is earlier: within 20 s of it, GStreamer reads an MP3 on.
    case parsedEnd
    /// A position so many milliseconds before the target: GStreamer estimates the offset in a FLAC file.
    case before(Int)
  }

  /// The redirects of a server.
  package enum Redirect: Hashable, Sendable {
    case none
    /// At most 20 redirects, also to HTTPS or to another server, lead to the media.
    case followed
    /// More than 20 redirects, or a loop.
    case endless
    /// A redirect to a scheme other than HTTP and HTTPS, or without a target.
    case refused
  }

  package init(
    speed: Int, stallAt: Int?, stall: Int, cutAt: Int?, delay: Int, redirect: Redirect = .none, isAnnounced: Bool,
    seekStart: SeekStart = .target, burst: Int? = nil
  ) {
    self.speed = speed
    self.stallAt = stallAt
    self.stall = stall
    self.cutAt = cutAt
    self.delay = delay
    self.redirect = redirect
    self.isAnnounced = isAnnounced
    self.seekStart = seekStart
    self.burst = burst
  }

  package static let good = Server(speed: 1000, stallAt: nil, stall: 0, cutAt: nil, delay: 10, isAnnounced: true)
}

extension Media {
  /// Returns random media; about half of them are files without a fault.
  package static func random(_ random: inout RandomSource, canBeShort: Bool) -> Media {
    let short = canBeShort ? 1 : 0
    let length = random.pick(weighted: [
      (60, random.number(60_000...600_000)), (15 * short, random.number(1_000...20_000)),
      (short, random.number(100...1_000)), (4, random.number(600_000...7_200_000)),
      (5 + 10 * short, random.number(20_000...60_000)),
    ])
    var media = plain(length)
    media.source = random.pick(weighted: [(80, .file), (16, .server), (3, .station), (1, .live)])
    media.seekPoints = random.pick([1, 26, 500, 2_000, 5_000])
    media.hasTitle = random.chance(70)
    if random.chance(15) { media.audioTracks = random.number(2...4) }
    if random.chance(15) {
      media.chapters = (0..<random.number(1...8)).map { _ in random.number(0...(length + 1_000)) }
    }
    media.stated = random.pick(weighted: [
      (80, length), (8, nil), (6, length * random.number(102...300) / 100),
      (6, max(1, length * random.number(40...99) / 100)),
    ])
    media.isSeekable = !random.chance(6)
    if media.source == .server { media.server = .random(length, &random) }
    if media.source == .station || media.source == .live {
      media.isSeekable = false
      media.stated = nil
      media.length = random.number(600_000...7_200_000)
      media.server = .random(media.length, &random)
      if media.source == .live { media.server = .good }
    }
    if random.chance(14) { media.fault = .random(length, &random) }
    // A copy, so that the other media of a seed do not depend on these faults.
    var copy = random
    if media.fault != .none, media.isLocal, copy.chance(40) {
      media.fault = copy.pick([.silent, .stuck(at: copy.number(100...max(100, length))), .endlessSeek, .lostStart])
    } else if media.isLocal, copy.chance(4) {
      media.fault = copy.pick([.farEnd, .gap(at: copy.number(0...length), length: copy.number(11_000...7_200_000))])
      if case .gap(_, let time) = media.fault { media.length += time }
    }
    return media
  }
}

extension Media {
  /// Returns the start of the silence at the end of some files.
  func randomSilence(_ random: inout RandomSource) -> Int? {
    let isSilent = random.chance(40)
    let time = random.pick([600, 3_000, 20_000])
    return isSilent && isLocal && fault == .none && stated == length && time * 2 < length ? length - time : nil
  }
}

extension Media {
  /// Returns the time for which the player keeps the data of some stations.
  func randomKeptTime(_ random: inout RandomSource) -> Int? {
    let time = random.pick([5_000, 20_000, 120_000, 600_000])
    return random.chance(70) && source == .station ? time : nil
  }

  /// Returns the length of the songs of some stations.
  func randomSongTime(_ random: inout RandomSource) -> Int? {
    let time = random.pick([4_000, 30_000, 200_000])
    return random.chance(70) && source == .station ? time : nil
  }
}

extension Media.Fault {
  static func random(_ length: Int, _ random: inout RandomSource) -> Media.Fault {
    random.pick(weighted: [
      (6, .unopenable), (4, .endlessPreroll), (6, .damaged(at: random.number(0...max(1, length)))), (1, .hangingOpen),
      (2, .refusedSeeks), (2, .missedStart),
    ])
  }
}

extension Server {
  static func random(_ length: Int, _ random: inout RandomSource) -> Server {
    var server = good
    if random.chance(25) { server.speed = random.pick([20, 60, 95, 105, 130, 200]) }
    if random.chance(25) {
      server.stallAt = random.number(0...max(1, length))
      server.stall = random.pick([500, 3_000, 15_000, 50_000, 200_000])
    }
    if random.chance(15) { server.cutAt = random.number(0...max(1, length)) }
    if random.chance(20) { server.delay = random.pick([200, 2_000, 8_000, 12_000]) }
    server.isAnnounced = !random.chance(10)
    return server
  }
}
