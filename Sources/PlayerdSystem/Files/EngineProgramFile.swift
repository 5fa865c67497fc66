import Glibc

/// The program that decodes and plays, which the daemon starts.
package enum EngineProgramFile {
  /// Its path: in `libexec` beside the folder of this program, or in that folder.
  ///
  /// Without `/proc` the folder is unknown, and the program is not found.
  package static let path = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let (folder, name) = (own.lastIndex(of: "/").map { own[...$0] } ?? "/", "\(Names.executable)-engine")
    let installed = "\(folder)../libexec/\(name)"
    return unsafe access(installed, X_OK) == 0 ? installed : folder + name
  }()
}
