import Glibc

/// Files and folders in the places of others, for a program and its children alone.
///
/// The program runs in a mount namespace of its own, with the same user and without further rights.
public enum PrivateMounts {
  /// Why tests with such files are skipped.
  public static let unavailable = "the system does not let files be mounted for a program alone"

  /// Returns the beginning of the command line of a program for which these files are in these places; nil if the system does
  /// not allow that.
  ///
  /// The places must exist.
  public static func launcher(_ mounts: [(file: String, place: String)]) async throws -> [String]? {
    guard Tool.areAvailable("unshare", "mount", "setpriv") else { return nil }
    // Without the rights of root, a user namespace permits mounts, and a second one restores the user.
    let direct = (before: [String](), after: [String]())
    let nested = (
      before: ["--map-root-user"], after: ["unshare", "--map-user=\(getuid())", "--map-group=\(getgid())"]
    )
    for (before, after) in getuid() == 0 ? [direct, nested] : [nested] {
      let launcher =
        ["unshare"] + before + ["--mount", "sh", "-c", script, "sh"] + mounts.flatMap { [$0.file, $0.place] } + [":"]
        + after + ["setpriv", "--pdeathsig", "KILL", "--"]
      if try await run(launcher + ["true"]).succeeded { return launcher }
    }
    return nil
  }

  /// Mounts pairs of files and places, up to a colon, and runs the rest of its arguments.
  private static let script = """
    while [ "$1" != : ]; do mount --bind "$1" "$2" || exit; shift 2; done; shift; exec "$@"
    """
}
