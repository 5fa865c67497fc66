import Glibc
import TextCoding

/// Conversion between `file:` URIs and paths.
///
/// Paths are bytes, which need not be UTF-8.
///
/// <https://www.rfc-editor.org/rfc/rfc8089>
package enum FileURI {
  /// Returns the URI of an argument: a URI unchanged, a path relative to the working directory.
  package static func absolute(from argument: String) -> String {
    if isURI(argument) { return argument }
    if argument.hasPrefix("/") { return uri(ofPath: Array(argument.utf8)) }
    return uri(ofPath: workingDirectory + [UInt8(ascii: "/")] + Array(argument.utf8))
  }

  /// Whether a text is a URI: a scheme of two or more characters and `://`, or `file:`; `C:` and `a:b` are paths.
  package static func isURI(_ text: String) -> Bool { scheme(of: text) != nil }

  /// Returns the scheme in lower case; nil if the text is not a URI.
  package static func scheme(of text: String) -> String? { text.utf8.locationScheme }

  package static func uri(ofPath path: [UInt8]) -> String {
    "file://"
      + PercentEncoding.encode(path) {
        $0.isASCIILetter || $0.isASCIIDigit || "-._~/!$&'()*+,;=:@".utf8.contains($0)
      }
  }

  /// Returns the path of a local `file:` URI; nil for any other URI, and for a path that contains NUL.
  package static func path(of uri: String) -> [UInt8]? {
    guard let file = FileReference(uri), file.host.isEmpty || isThisHost(file.host) else { return nil }
    return file.path.first == UInt8(ascii: "/") && !file.path.contains(0) ? file.path : nil
  }

  /// Returns the usual form of a local `file:` URI, without a host and a fragment; any other URI unchanged.
  ///
  /// If only a file with the fragment or the query in its name exists, that file is meant.
  package static func canonical(_ uri: String, in files: some FileSystem) -> String {
    guard let path = path(of: uri) else { return uri }
    let long = FileReference(uri)?.longPath.flatMap { $0.contains(0) ? nil : $0 }
    let isFolder = path.last == UInt8(ascii: "/")
    if let long, isFolder || files.kind(of: path) == nil, files.kind(of: long) != nil { return self.uri(ofPath: long) }
    return self.uri(ofPath: path)
  }

  /// Whether a host of a `file:` URI, in lower case, is this machine.
  package static func isThisHost(_ host: String) -> Bool {
    host == "localhost" || host == ownHost || host.split(separator: ".").first.map(String.init) == ownHost
  }

  /// The name of this machine, in lower case.
  private static let ownHost: String = {
    var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
  }()

  /// Returns the form of a URI in logs and errors: the path of a local file, any other URI without secrets.
  package static func readable(_ uri: String) -> String {
    path(of: uri).map { String(decoding: $0, as: UTF8.self) } ?? uri.withoutURISecrets
  }

  /// Returns the name of a track without a title.
  package static func name(of uri: String) -> String { uri.uriName }

  /// Removes `.`, `..` and doubled slashes from an absolute path, without access to the file system.
  package static func normalized(_ path: [UInt8]) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.split(separator: UInt8(ascii: "/")) where part != [UInt8(ascii: ".")] {
      if part == [UInt8(ascii: "."), UInt8(ascii: ".")] { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.isEmpty ? [UInt8(ascii: "/")] : parts.flatMap { [UInt8(ascii: "/")] + $0 }
  }

  package static var workingDirectory: [UInt8] { LocalFileSystem().resolved(Array(".".utf8)) ?? [] }
}
