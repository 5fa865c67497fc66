import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Mapping GStreamer errors to error codes") struct FailureTests {
  /// An error as GStreamer 1.22 posts it, and the code expected for it.
  struct Report: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var failure: Failure
    var code: PlayerError.Code
    /// The plug-ins that were reported missing before.
    var missing: [String]

    init(
      _ name: String, _ domain: Failure.Domain, _ code: Int, _ message: String, _ debug: String = "",
      isFromOutput: Bool = false, missing: [String] = [], is expected: PlayerError.Code
    ) {
      testDescription = name
      failure = Failure(
        domain: domain, code: code, message: message, debug: debug, element: "source", isFromOutput: isFromOutput)
      self.code = expected
      self.missing = missing
    }
  }

  /// Returns the debug text of an error of souphttpsrc.
  private static func soup(_ text: String, redirectedTo target: String = "(NULL)") -> String {
    "../ext/soup/gstsouphttpsrc.c(1479): gst_soup_http_src_parse_status (): /GstPlayBin:playbin0/"
      + "GstURIDecodeBin:uridecodebin0/GstSoupHTTPSrc:source:\n\(text), URL: http://127.0.0.1/a, Redirect to: \(target)"
  }

  static let reports = [
    Report("a missing file", .resource, 3, "Resource not found.", "No such file \"/a.flac\"", is: .notFound),
    Report(
      "a file without read permission", .resource, 5, "Could not open file \"/a.flac\" for reading.",
      "gstfilesrc.c(556): gst_file_src_start ():\nsystem error: Permission denied", is: .permissionDenied),
    Report("not authorised", .resource, 15, "Not authorized", is: .permissionDenied),
    Report("a directory", .resource, 5, "\"/music\" is a directory.", is: .notMedia),
    Report(
      "a resource that cannot be read", .resource, 9, "Error while reading from file \"/a.flac\".", is: .readError),
    Report("text", .stream, 5, "This appears to be a text file", "gstdecodebin2.c(2210)", is: .notMedia),
    Report("an unknown type", .stream, 4, "Could not determine type of stream.", is: .notMedia),
    Report("an empty file", .stream, 4, "Stream contains no data.", "gsttypefindelement.c(991)", is: .empty),
    Report(
      "too little data", .stream, 4, "Stream doesn't contain enough data.", "Can't typefind stream", is: .notMedia),
    Report("a decoder that fails", .stream, 7, "Could not decode stream.", "No valid frames decoded", is: .corrupt),
    Report("a demuxer that fails", .stream, 9, "Could not demultiplex stream.", is: .corrupt),
    Report("an impossible format", .stream, 11, "The stream is in the wrong format.", is: .corrupt),
    Report(
      "an internal stream error", .stream, 1, "Internal data stream error.", "streaming stopped, reason error (-5)",
      is: .corrupt),
    Report(
      "a live stream without its playlist", .stream, 1, "Internal data stream error.",
      "gstadaptivedemux.c(4101): gst_adaptive_demux_updates_loop ():\nCould not update playlist", is: .networkCut),
    Report("a missing decoder", .stream, 6, "Your GStreamer installation is missing a plug-in.", is: .codecMissing),
    Report(
      "a missing plug-in", .core, 12, "Your GStreamer installation is missing a plug-in.",
      "gstdecodebin2.c: no suitable plugins found:\nMissing decoder: WavPack", missing: ["WavPack decoder"],
      is: .codecMissing),
    Report("a missing element of playbin", .core, 12, "Missing element 'input-selector'", is: .codecMissing),
    Report("an unsupported scheme", .core, 12, "No URI handler implemented for \"gopher\".", is: .unsupportedScheme),
    Report("another core error", .core, 1, "GStreamer encountered a general core library error.", is: .unknown),
    Report("a library error", .library, 1, "?", is: .unknown),
    Report("a foreign error", .other, 1, "?", is: .unknown),
    Report("HTTP 404", .resource, 3, "Not Found", soup("Not Found (404)"), is: .httpError),
    Report("HTTP 403", .resource, 15, "Forbidden", soup("Forbidden (403)"), is: .httpError),
    Report("HTTP 500", .resource, 5, "Internal Server Error", soup("Internal Server Error (500)"), is: .httpError),
    Report(
      "a refused connection", .resource, 3, "Could not connect to server",
      soup("Could not connect to 127.0.0.1: Connection refused (2)"), is: .networkRefused),
    Report(
      "a name that does not resolve", .resource, 3, "Could not resolve server name.",
      soup("Error resolving “no.invalid”: Name or service not known (1)"), is: .networkUnresolved),
    Report(
      "a server that does not answer", .resource, 9, "Could not establish connection to server.",
      soup("Socket I/O timed out (7)"), is: .networkTimeout),
    Report(
      "a server that disconnects", .resource, 9, "A network error occurred, or the server closed the connection.",
      soup("Connection terminated unexpectedly (7)"), is: .networkCut),
    Report(
      "a server without ranges that disconnects", .resource, 11, "Server does not support seeking.",
      soup("Server does not accept Range HTTP header"), is: .networkCut),
    Report("endless redirects", .resource, 9, "?", soup("Too many redirects (8)"), is: .tooManyRedirects),
    Report(
      "a loop of redirects", .resource, 5, "Found", soup("Found (302)", redirectedTo: "http://127.0.0.1/a"),
      is: .tooManyRedirects),
    Report(
      "a loop of redirects to a path, in GStreamer 1.28", .resource, 5, "Found",
      soup("Found (302)", redirectedTo: "/a"), is: .tooManyRedirects),
    Report("a redirect to a file", .resource, 5, "Found", soup("Found (302)"), is: .httpError),
    Report(
      "a redirect to a file, in GStreamer 1.28", .resource, 5, "Found",
      soup("Found (302)", redirectedTo: "file:///etc/hostname"), is: .httpError),
    Report(
      "an untrusted certificate", .resource, 3, "Secure connection setup failed.",
      soup("Unacceptable TLS certificate (6)"), is: .tls),
    Report(
      "an output that cannot be opened", .resource, 6, "Could not open audio device for playback.",
      isFromOutput: true, is: .output),
    Report(
      "a sound server that disconnected", .resource, 1, "Disconnected: Connection terminated", isFromOutput: true,
      is: .output),
    Report("a missing sound device", .resource, 3, "No such device", isFromOutput: true, is: .output),
    Report(
      "a stream error at the output is the stream's", .stream, 1, "Internal data stream error.",
      isFromOutput: true, is: .corrupt),
  ]

  @Test("Each error maps to one code", arguments: reports)
  func code(report: Report) {
    #expect(report.failure.playerError(missing: report.missing).code == report.code)
  }

  @Test(
    "The names of files and servers do not affect the code",
    arguments: [
      "timeout", "TLS", "SSL", "certificate", "Connection refused", "terminated", "timed out", "Could not connect",
      "is a directory.", "Permission denied", "contains no data", "(404), URL: http",
    ])
  func names(name: String) {
    let missing = Failure(
      domain: .resource, code: 3, message: "Resource not found.",
      debug: "gstfilesrc.c(553): gst_file_src_start ():\nNo such file \"/music/\(name)\"")
    #expect(missing.playerError.code == .notFound)
    let text = Failure(domain: .stream, code: 5, message: "This appears to be a text file", debug: "/music/\(name)")
    #expect(text.playerError.code == .notMedia)
    let absent = Failure(
      domain: .resource, code: 3, message: "Not Found",
      debug: "gstsouphttpsrc.c(1479): ():\nNot Found (404), URL: http://127.0.0.1/\(name), Redirect to: (NULL)")
    #expect(absent.playerError.code == .httpError)
  }

  @Test("The message is for users, and the detail contains the complete GStreamer error")
  func texts() {
    let failure = Failure(domain: .resource, code: 3, message: "Resource not found.", debug: "here", element: "source")
    let error = failure.playerError
    #expect(error.message == "not found")
    #expect(error.detail == "resource 3 source: Resource not found. here")
    #expect("\(error)" == "not-found: not found")
    #expect(failure.summary == "Resource not found. (source: here)")
    let other = Failure(domain: .core, code: 1, message: "text")
    #expect(other.playerError.message == "text")
    #expect(other.summary == "text")
  }

  @Test("An error about missing plug-ins names them")
  func missingPlugins() {
    let failure = Failure(domain: .core, code: 12, message: "", debug: "no suitable plugins found")
    let error = failure.playerError(missing: ["AAC decoder", "Opus decoder"])
    #expect(error.message == "not installed: AAC decoder, Opus decoder")
  }

  @Test("An HTTP error contains the status")
  func status() {
    let failure = Failure(
      domain: .resource, code: 15, message: "Forbidden",
      debug: "gstsouphttpsrc.c(1479): ():\nForbidden (403), URL: http://127.0.0.1/a, Redirect to: (NULL)")
    #expect(failure.playerError.message == "the server responds with status 403")
  }

  @Test("If the environment names a proxy, the proxy is probed instead of the server")
  func proxy() async {
    await #expect(processExitsWith: .success) {
      try GStreamer.initialize()
      try await withHTTPServer { server in
        for name in ["http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"] {
          unsafe setenv(name, server.origin, 1)
          #expect(NetworkProbe.diagnose("http://127.0.0.1:1/") == nil, "\(name)")
          unsafe setenv(name, "http://127.0.0.1:1", 1)
          let failure = NetworkProbe.diagnose(server.origin)
          #expect(failure?.code == .networkRefused, "\(name)")
          #expect(failure?.message == "the proxy refuses the connection", "\(name)")
          unsafe setenv("no_proxy", "127.0.0.1", 1)
          #expect(NetworkProbe.diagnose(server.origin) == nil, "\(name)")
          unsafe unsetenv("no_proxy")
          unsafe unsetenv(name)
        }
      }
    }
  }
}
