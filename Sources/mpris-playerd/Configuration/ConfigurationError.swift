/// Something in the configuration is wrong: one line that names the place, the key and what would be right.
struct ConfigurationError: Error, Equatable {
  let message: String
  init(_ message: String) { self.message = message }
}
