// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A view of an image.
@MainActor
open class UIImageView: UIView {
  /// The image.
  open var image: UIImage?

  /// Makes a view of an image, without a size.
  public init(image: UIImage?) {
    self.image = image
    super.init(frame: .zero)
  }

  /// Makes a view with a frame, without an image.
  public override init(frame: CGRect) { super.init(frame: frame) }

  /// Makes a view without an image and without a frame; the coder is not read.
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}
