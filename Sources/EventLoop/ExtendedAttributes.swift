import CLinux
import Glibc

/// An extended attribute of a file.
///
/// <https://man7.org/linux/man-pages/man7/xattr.7.html>
package struct ExtendedAttribute: Sendable {
  /// The name, with its namespace such as `user.`.
  package let name: String
  let value: [UInt8]

  /// The attribute with the access control list; the group's part of the mode is its upper limit.
  package static let accessControlList = "system.posix_acl_access"

  init(name: String, value: [UInt8]) { (self.name, self.value) = (name, value) }

  /// Returns the attributes of a file that its owner can set; empty if the file system lacks them.
  package static func all(of file: CInt) -> [ExtendedAttribute] {
    let list = unsafe read { unsafe flistxattr(file, $0, $1) }
    let names = list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return names.filter { $0.hasPrefix("user.") || $0 == accessControlList || $0 == "security.selinux" }.map { name in
      let value = unsafe read { unsafe fgetxattr(file, name, $0, $1) }
      return ExtendedAttribute(name: name, value: value)
    }
  }

  /// Sets the attribute of another file; returns whether that succeeded.
  package func set(of file: CInt) -> Bool {
    unsafe value.withUnsafeBytes { unsafe fsetxattr(file, name, $0.baseAddress, $0.count, 0) } == 0
  }

  /// Calls a function that fills a buffer; returns the content, which is empty after a failure.
  private static func read(_ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8] {
    let size = fill(nil, 0)
    guard size > 0 else { return [] }
    var buffer = [CChar](repeating: 0, count: size)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { unsafe fill($0.baseAddress, $0.count) }
    return buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
  }
}
