// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A font of which the name and the size are held.
public final class UIFont: NSObject, Sendable {
  /// The name.
  public let fontName: String
  /// The size in points.
  public let pointSize: CGFloat
  private let weight: Weight

  private init(_ fontName: String, _ pointSize: CGFloat, _ weight: Weight = .regular) {
    self.fontName = fontName
    self.pointSize = pointSize
    self.weight = weight
  }

  /// Makes a font by name, without looking whether there is one.
  public convenience init?(name fontName: String, size fontSize: CGFloat) {
    self.init(fontName, fontSize)
  }

  /// Returns the system's font in a size and weight.
  public static func systemFont(ofSize fontSize: CGFloat, weight: Weight = .regular) -> UIFont {
    UIFont("system", fontSize, weight)
  }

  /// Returns the system's bold font in a size.
  public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
    systemFont(ofSize: fontSize, weight: .bold)
  }

  /// Says whether another object is the same font in the same size and weight.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIFont else { return false }
    return (other.fontName, other.pointSize, other.weight) == (fontName, pointSize, weight)
  }

  /// The hash that goes with `isEqual(_:)`.
  public override var hash: Int { fontName.hashValue ^ pointSize.hashValue }

  /// How heavy a font is.
  public struct Weight: RawRepresentable, Hashable, Sendable {
    /// From -1 to 1.
    public let rawValue: CGFloat

    /// Makes a weight of its number.
    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    /// Lighter than most.
    public static let light = Weight(rawValue: -0.4)
    /// As most.
    public static let regular = Weight(rawValue: 0)
    /// A little heavier.
    public static let medium = Weight(rawValue: 0.23)
    /// Between medium and bold.
    public static let semibold = Weight(rawValue: 0.3)
    /// Heavy.
    public static let bold = Weight(rawValue: 0.4)
    /// Heavier than bold.
    public static let heavy = Weight(rawValue: 0.56)
  }
}
