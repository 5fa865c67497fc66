import Glibc

/// The program that decodes and plays, which the daemon starts.
package enum EngineProgramFile {
  /// Its path: in a folder for programs of programs beside the folder of this program, or else in that folder.
  ///
  /// Without `/proc` the folder is unknown, and the program is not found.
  package static let path = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let (folder, name) = (own.lastIndex(of: "/").map { own[...$0] } ?? "/", "\(Names.executable)-engine")
    // Arch Linux does not use libexec.
    let installed = ["libexec", "lib/\(Names.executable)"].map { "\(folder)../\($0)/\(name)" }
    return installed.first { unsafe access($0, X_OK) == 0 } ?? folder + name
  }()
}
