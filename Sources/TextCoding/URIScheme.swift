extension Collection<UInt8> {
  /// The scheme at the beginning of a URI; nil if the bytes do not begin with one.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc3986#section-3.1>
  package var uriScheme: SubSequence? {
    guard first?.isASCIILetter == true,
      let end = firstIndex(where: { !$0.isASCIILetter && !$0.isASCIIDigit && !"+-.".utf8.contains($0) }),
      self[end] == UInt8(ascii: ":")
    else { return nil }
    return self[..<end]
  }

  /// The scheme in lower case where a path is as likely as a URI: two characters or more before `://`, or `file:`.
  ///
  /// `C:\a` and `a:b` are paths.
  package var locationScheme: String? {
    guard let scheme = uriScheme, scheme.count >= 2 else { return nil }
    let name = String(decoding: scheme, as: UTF8.self).lowercased()
    return self[scheme.endIndex...].starts(with: "://".utf8) || name == "file" ? name : nil
  }
}
