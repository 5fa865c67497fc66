import EventLoop
import Glibc
import TextCoding

/// The owner, the group, the mode and the extended attributes of a file, for the file that replaces it.
struct FileAttributes {
  private let status: stat
  private let extended: [ExtendedAttribute]

  /// Reads the attributes of a regular file; nil if there is none.
  init?(of path: [UInt8]) {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    self.status = status
    // The extended attributes of a file that the user may not read stay unknown.
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    defer { if file >= 0 { close(file) } }
    extended = file >= 0 ? ExtendedAttribute.all(of: file) : []
  }

  /// Gives the attributes to an open file, as far as the user may; the bits of the mode that are not in `kept` are cleared.
  ///
  /// A user without access to the old file does not get access to the new file.
  func apply(to file: CInt, keeping kept: mode_t) {
    let hasOwner = fchown(file, status.st_uid, status.st_gid) == 0
    // A user may give a file to each of their groups.
    let hasGroup = hasOwner || fchown(file, uid_t.max, status.st_gid) == 0
    let lists = extended.filter { $0.name == ExtendedAttribute.accessControlList }
    let limit: mode_t = hasOwner ? 0o7777 : 0o777
    // The group's bits are changed last, by the list.
    fchmod(file, Self.mode(status.st_mode & kept & limit, hasGroup: hasGroup, hasList: !lists.isEmpty))
    for attribute in extended where attribute.name != ExtendedAttribute.accessControlList {
      _ = attribute.set(of: file)
    }
    if hasGroup, kept & 0o077 == 0o077 { for list in lists { _ = list.set(of: file) } }
  }

  /// Returns the mode before an access control list is set; it does not give any user more access than the old file.
  static func mode(_ old: mode_t, hasGroup: Bool, hasList: Bool) -> mode_t {
    // With a list, the group's bits are the limit of the list, and not the rights of the group.
    let mode = hasList ? old & ~0o070 : old
    if hasGroup { return mode }
    // Members of the new group counted as “others” before, and members of the old group count as “others” now.
    let common = mode >> 3 & mode & 0o007
    return mode & ~0o077 | common << 3 | common
  }
}
