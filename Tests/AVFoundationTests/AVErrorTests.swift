import GstPlayer
import Testing

@testable import AVFoundation

@Suite("Errors of AVFoundation") struct AVErrorTests {
  /// The codes of AVError.h. <https://developer.apple.com/documentation/avfoundation/averror-swift.struct/code>
  @Test(
    "The codes equal Apple's",
    arguments: [
      (.unknown, -11800), (.outOfMemory, -11801), (.mediaServicesWereReset, -11819), (.decodeFailed, -11821),
      (.invalidSourceMedia, -11822), (.fileFormatNotRecognized, -11828), (.fileFailedToParse, -11829),
      (.contentIsProtected, -11831), (.decoderNotFound, -11833), (.contentIsNotAuthorized, -11835),
      (.operationNotSupportedForAsset, -11838), (.decoderTemporarilyUnavailable, -11839),
      (.operationInterrupted, -11847), (.failedToLoadMediaData, -11849), (.serverIncorrectlyConfigured, -11850),
      (.failedToParse, -11853), (.contentIsUnavailable, -11863), (.formatUnsupported, -11864),
      (.noLongerPlayable, -11867), (.noSourceTrack, -11869), (.operationCancelled, -11878),
    ] as [(AVError.Code, Int)])
  func codes(code: AVError.Code, number: Int) {
    #expect(code.rawValue == number)
    let error = AVError(code) as NSError
    #expect(error.domain == "AVFoundationErrorDomain" && error.code == number)
  }

  @Test(
    "A failure of the player becomes the error that Apple's framework reports",
    arguments: [
      (.notMedia, AVFoundationErrorDomain, -11828), (.empty, AVFoundationErrorDomain, -11829),
      (.noAudio, AVFoundationErrorDomain, -11869), (.codecMissing, AVFoundationErrorDomain, -11833),
      (.corrupt, AVFoundationErrorDomain, -11821), (.noProgress, AVFoundationErrorDomain, -11821),
      (.readError, AVFoundationErrorDomain, -11849),
      (.cancelled, AVFoundationErrorDomain, -11878), (.output, AVFoundationErrorDomain, -11800),
      (.unknown, AVFoundationErrorDomain, -11800), (.init(rawValue: "new"), AVFoundationErrorDomain, -11800),
      (.notFound, NSURLErrorDomain, -1100), (.permissionDenied, NSURLErrorDomain, -1102),
      (.unsupportedScheme, NSURLErrorDomain, -1002), (.invalidArgument, NSURLErrorDomain, -1000),
      (.loadTimeout, NSURLErrorDomain, -1001), (.networkTimeout, NSURLErrorDomain, -1001),
      (.networkRefused, NSURLErrorDomain, -1004), (.networkUnresolved, NSURLErrorDomain, -1003),
      (.networkCut, NSURLErrorDomain, -1005), (.httpError, NSURLErrorDomain, -1011),
      (.tooManyRedirects, NSURLErrorDomain, -1007), (.tls, NSURLErrorDomain, -1200),
    ] as [(PlayerError.Code, String, Int)])
  func mapping(code: PlayerError.Code, domain: String, number: Int) {
    let cause = PlayerError(code: code, message: "no luck", detail: "gst-resource 3")
    let error = cause.foundationError(about: "file:///a.flac")
    let details = error as NSError
    #expect(details.domain == domain && details.code == number)
    #expect(details.localizedDescription.hasSuffix(": no luck.") && details.localizedFailureReason == "No luck.")
    #expect(details.userInfo[NSDebugDescriptionErrorKey] as? String == "gst-resource 3")
    #expect(cause.localizedDescription.hasSuffix(": no luck."))
    #expect((details.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription.isEmpty == false)
    if domain == NSURLErrorDomain { #expect((error as? URLError)?.failingURL == URL(string: "file:///a.flac")) }
  }

  @Test("The text of an error has the failed operation and the reason")
  func texts() {
    let missing = PlayerError(code: .notFound, message: "file not found")
    let texts = ["file:///a.flac", "https://example.org/", nil].map { missing.foundationError(about: $0) }
    #expect(
      texts.map(\.localizedDescription) == [
        "The file could not be opened: file not found.", "The stream could not be opened: file not found.",
        "The media could not be opened: file not found.",
      ])
    #expect(
      PlayerError(code: .corrupt, message: "damaged").foundationError(about: "file:///a").localizedDescription
        == "The file cannot be played: damaged.")
  }

  @Test("Errors are caught by their codes")
  func catching() {
    func fail(_ error: any Error) throws { throw error }
    do {
      try fail(PlayerError(code: .corrupt, message: "damaged").foundationError())
    } catch AVError.decodeFailed {
    } catch {
      Issue.record("\(error)")
    }
    do {
      try fail(AVError(.noLongerPlayable, userInfo: [NSLocalizedDescriptionKey: "gone"]))
    } catch let error as AVError {
      #expect(error.code == .noLongerPlayable && error.localizedDescription == "gone")
      #expect(error == AVError(.noLongerPlayable, userInfo: [NSLocalizedDescriptionKey: "gone"]))
    } catch {
      Issue.record("\(error)")
    }
  }
}
