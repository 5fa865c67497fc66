/// An error in the configuration: one line with the file and line, the key and the expected value.
package struct ConfigurationError: Error, Equatable {
  package let message: String
  init(_ message: String) { self.message = message }
}
