// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An image of which the name is held and nothing is decoded.
public final class UIImage: NSObject, Sendable {
  /// Whether the colours or the shape of the image count.
  public let renderingMode: RenderingMode

  private let name: String?

  private init(_ name: String?, _ mode: RenderingMode = .automatic) {
    self.name = name
    renderingMode = mode
  }

  /// Makes an image of nothing.
  public override convenience init() { self.init(nil) }

  /// Makes the image that an asset catalogue knows by name, without looking whether it does.
  public convenience init?(named name: String) { self.init(name) }

  /// Makes a symbol by name, without looking whether there is one.
  public convenience init?(systemName name: String) { self.init(name) }

  /// Makes an image of data, which are not read, unless there are none.
  public convenience init?(data: Data) {
    guard !data.isEmpty else { return nil }
    self.init(nil)
  }

  /// Returns the same image with another rendering mode.
  public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
    UIImage(name, renderingMode)
  }

  /// Whether the colours or the shape of an image count.
  public enum RenderingMode: Int, Sendable {
    /// It depends on where the image is.
    case automatic
    /// Its colours count.
    case alwaysOriginal
    /// Its shape counts.
    case alwaysTemplate
  }
}
