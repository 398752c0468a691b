// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A colour that is held and never painted.
public final class UIColor: NSObject, Sendable {
  private enum Kind: Hashable {
    case components([CGFloat])
    case named(String, isSystem: Bool, alpha: CGFloat)
  }

  private let kind: Kind

  private init(kind: Kind) {
    self.kind = kind
  }

  /// Makes a colour of its red, green and blue parts, each from 0 to 1.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(kind: .components([red, green, blue, alpha]))
  }

  /// Makes a grey between black, 0, and white, 1.
  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  /// Makes a colour that an asset catalogue knows by name; the name alone is held.
  public convenience init?(named name: String) {
    self.init(kind: .named(name, isSystem: false, alpha: 1))
  }

  /// Makes a colour of the system, of which the name alone is held.
  convenience init(system name: String) {
    self.init(kind: .named(name, isSystem: true, alpha: 1))
  }

  /// Returns the same colour with another opacity.
  public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    switch kind {
    case .components(let parts): UIColor(kind: .components(parts.prefix(3) + [alpha]))
    case .named(let name, let isSystem, _):
      UIColor(kind: .named(name, isSystem: isSystem, alpha: alpha))
    }
  }

  /// Says whether another object is a colour of the same parts, or of the same name and opacity.
  public override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.kind == kind }

  /// The hash that goes with `isEqual(_:)`.
  public override var hash: Int { kind.hashValue }
}
