extension Duration {
  /// The whole microseconds, the unit of MPRIS; clamped to the range of `Int64`.
  ///
  /// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html#Simple-Type:Time_In_Us>
  package var microseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000) }
}
