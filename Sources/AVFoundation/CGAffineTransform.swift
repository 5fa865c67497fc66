public import Foundation

/// A transformation of points, for ``AVAssetTrack/preferredTransform``; Foundation on Linux does not have it.
///
/// <https://developer.apple.com/documentation/corefoundation/cgaffinetransform>
public struct CGAffineTransform: Hashable, Sendable {
  /// The factor of x for x.
  public var a: CGFloat
  /// The factor of x for y.
  public var b: CGFloat
  /// The factor of y for x.
  public var c: CGFloat
  /// The factor of y for y.
  public var d: CGFloat
  /// The summand of x.
  public var tx: CGFloat
  /// The summand of y.
  public var ty: CGFloat

  /// Makes a transformation from its numbers.
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// Makes a transformation of all points to 0.
  public init() { self.init(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0) }

  /// The transformation that changes nothing.
  public static let identity = Self(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Whether the transformation changes nothing.
  public var isIdentity: Bool { self == .identity }
}
