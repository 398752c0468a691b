// SPDX-License-Identifier: Apache-2.0

/// A view of an image.
@MainActor
open class UIImageView: UIView {
  /// The image.
  open var image: UIImage?

  /// Makes a view of an image, without a size.
  public convenience init(image: UIImage?) {
    self.init()
    self.image = image
  }
}
