// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A controller whose view holds a collection.
@MainActor
open class UICollectionViewController: UIViewController {
  /// Where the items would be.
  public let collectionViewLayout: UICollectionViewLayout
  /// The collection, which is in the view.
  open lazy var collectionView: UICollectionView! = UICollectionView(
    frame: UIScreen.main.bounds, collectionViewLayout: collectionViewLayout)

  /// Makes one with a layout.
  public init(collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(nibName: nil, bundle: nil)
  }

  /// Makes one with a layout of lines; the file of its view is not read.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    collectionViewLayout = UICollectionViewFlowLayout()
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  /// Makes one with a layout of lines; the coder is not read.
  public required init?(coder: NSCoder) {
    collectionViewLayout = UICollectionViewFlowLayout()
    super.init(coder: coder)
  }

  /// Makes a view with the collection in it.
  open override func loadView() {
    super.loadView()
    if let collectionView { view.addSubview(collectionView) }
  }
}
