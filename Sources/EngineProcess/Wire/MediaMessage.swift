import Playback

/// A request for media that is not played, with the values of a function of ``InspectionService``.
enum MediaRequest: Codable, Sendable {
  case inspect(uri: String, timeout: Duration)
  case read(uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool)
  case measureLoudness(uri: String, includingTagged: Bool)
  case audioOutputs
  case checkAudioSink(String)
  case compareSamples(of: String, Player.Configuration, rate: Double)
  case support
}

/// The result of a request.
enum MediaAnswer: Codable, Sendable {
  case description(MediaDescription)
  /// The content; nil if it is not wanted.
  case content(MediaContent?)
  /// The loudness of a file; nil if it is not measured.
  case loudness(TrackLoudness?)
  case audioOutputs([AudioOutput])
  /// The description of an output is correct.
  case checked
  case comparison(SampleComparison)
  case support(FrameworkSupport?)
  case failed(PlayerError)
}

/// A question about a request, for whose decision a thread of the process waits; each request has one at most.
enum MediaQuestion: Codable, Sendable {
  /// Whether content is read, from the media type that the server reports and the first bytes.
  case isWanted(mediaType: String?, beginning: [UInt8])
  /// Whether the middle of an item has been examined.
  case isExamined
}

/// A message about a request, from its client; requests have different numbers.
enum MediaCall: Codable, Sendable {
  case request(MediaRequest, number: Int)
  /// The answer to a question.
  case decision(Bool, number: Int)
  /// Ends a request early; it is answered in any case.
  case cancel(number: Int)
}

/// A message about a request, to its client.
enum MediaReply: Codable, Sendable {
  case question(MediaQuestion, number: Int)
  /// The only answer to a request, and the last message about it.
  case answer(MediaAnswer, number: Int)
}

extension MediaRequest {
  /// The time limit of the request; nil if it takes as long as the item.
  var timeout: Duration? {
    switch self {
    case .inspect(_, let timeout), .read(_, _, _, let timeout, _): max(.zero, timeout.limited)
    // GStreamer may have to examine all of its plug-ins.
    case .audioOutputs, .checkAudioSink, .support: .seconds(60)
    case .measureLoudness, .compareSamples: nil
    }
  }

  /// The URI whose media is opened; nil if there is none, or the user requests each attempt.
  var uri: String? {
    switch self {
    case .inspect(let uri, _), .read(let uri, _, _, _, _), .measureLoudness(let uri, _): uri
    case .audioOutputs, .checkAudioSink, .compareSamples, .support: nil
    }
  }

  /// The URI whose media the process opens; nil if there is none.
  var source: String? { if case .compareSamples(let uri, _, _) = self { uri } else { uri } }

  /// Whether the content itself is decoded, and not only read.
  var decodes: Bool {
    switch self {
    case .inspect, .measureLoudness: true
    default: false
    }
  }

  /// Whether a question is one about this request.
  func allows(_ question: MediaQuestion) -> Bool {
    switch (self, question) {
    case (.read, .isWanted), (.compareSamples, .isExamined): true
    default: false
    }
  }

  /// The reason why an answer is not one to this request, or has values that no service returns; nil if there is none.
  func fault(of answer: MediaAnswer) -> String? {
    switch (self, answer) {
    case (_, .failed): nil
    case (.inspect, .description(let description)): description.fault
    case (.read(let uri, _, let limit, _, _), .content(let content?)):
      // The entries of a local playlist have more rights.
      if content.bytes.count > max(0, limit) {
        "more content than the limit"
      } else if Player.Item.isLocal(content.uri), !Player.Item.isLocal(uri) {
        "a file instead of the content of a server"
      } else {
        nil
      }
    case (.read, .content(nil)): nil
    case (.measureLoudness, .loudness(let loudness)): loudness?.isValid == false ? TrackLoudness.fault : nil
    case (.audioOutputs, .audioOutputs), (.checkAudioSink, .checked), (.support, .support): nil
    case (.compareSamples, .comparison(let comparison)): comparison.fault
    default: "an answer to another request"
    }
  }
}

extension MediaDescription {
  fileprivate var fault: String? {
    (duration ?? .zero) < .zero ? "a negative duration" : metadata.fault ?? Chapter.fault(of: chapters)
  }
}

extension TrackLoudness {
  /// The reason why a value that is not valid is refused.
  static let fault = "a loudness beyond the limits"
}

extension SampleComparison {
  fileprivate var fault: String? {
    let numbers = [decoded, output].compactMap(\.self).flatMap {
      [$0.count, $0.format.bits, $0.format.rate, $0.format.channels]
    }
    return numbers.contains { $0 < 0 } ? "a negative number of samples" : nil
  }
}
