// SPDX-License-Identifier: Apache-2.0

import CProscenium

/// A connected scene, looked up and prefetched without counting references.
///
/// It is safe because the entry of the same slot holds the scene for as long as this is in its
/// shard: both are set and cleared together, on the shard's executor.
@safe
struct BorrowedScene {
  private let reference: Unmanaged<Scene>

  init(_ scene: Scene) {
    unsafe reference = Unmanaged.passUnretained(scene)
  }

  var scene: Scene { unsafe reference.takeUnretainedValue() }

  /// Asks the processor to fetch the scene, which is to be used a little later.
  func prefetch() {
    unsafe proscenium_prefetch(reference.toOpaque())
  }

  /// Asks the processor to fetch the delegate of the scene, which was fetched before.
  func prefetchDelegate() {
    unsafe reference._withUnsafeGuaranteedRef { SceneOnShard($0).prefetchDelegate() }
  }
}
