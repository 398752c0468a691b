// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where the items of a collection would be; it places none.
@MainActor
open class UICollectionViewLayout: NSObject {
  /// Makes one.
  public override init() { super.init() }
}

/// Items in lines that flow.
@MainActor
open class UICollectionViewFlowLayout: UICollectionViewLayout {
  /// The least distance of two lines.
  open var minimumLineSpacing: CGFloat = 10
  /// The least distance of two items in a line.
  open var minimumInteritemSpacing: CGFloat = 10
  /// How large an item is.
  open var itemSize = CGSize(width: 50, height: 50)
}

/// A view of items, which asks nothing for them and has none.
@MainActor
open class UICollectionView: UIView {
  /// Where its items would be.
  open var collectionViewLayout: UICollectionViewLayout

  /// Makes one with a layout.
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
  }

  /// Makes one with a layout of lines; the coder is not read.
  public required init?(coder: NSCoder) {
    collectionViewLayout = UICollectionViewFlowLayout()
    super.init(coder: coder)
  }

  /// Does nothing: there are no items.
  open func reloadData() {}
}
