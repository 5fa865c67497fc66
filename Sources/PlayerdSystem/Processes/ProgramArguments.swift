import Glibc
import TextCoding

/// The arguments of this process.
package enum ProgramArguments {
  /// The arguments after the name of the program.
  ///
  /// If the path of an existing file is not UTF-8, the argument is its `file:` URI: the arguments are texts from here on.
  package static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
    return unsafe text(
      of: Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))), in: LocalFileSystem())
  }

  /// Returns the text of an argument; other bytes that are not UTF-8 are replaced.
  package static func text(of argument: [UInt8], in files: some FileSystem) -> String {
    if let text = String(validating: argument, as: UTF8.self) { return text }
    let path =
      argument.first == UInt8(ascii: "/") ? argument : FileURI.workingDirectory + [UInt8(ascii: "/")] + argument
    return files.kind(of: path) == nil ? String(decoding: argument, as: UTF8.self) : FileURI.uri(ofPath: path)
  }
}
