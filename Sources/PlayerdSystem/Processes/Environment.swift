import Glibc

/// The environment of the process.
package enum Environment {
  package static subscript(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Returns the absolute path in a variable; nil for any other value.
  static func absolutePath(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// All variables by name.
  package static var variables: [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      unsafe next += 1
    }
    return variables
  }
}
