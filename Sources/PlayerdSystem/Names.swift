/// The name and the version of the program.
package enum Names {
  package static let executable = "mpris-playerd"
  package static let version = "0.3.0"
}
