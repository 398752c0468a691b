// SPDX-License-Identifier: Apache-2.0

/// The serial executor that an application or a shard borrows, with the object that keeps it alive.
///
/// In production each lease belongs to a small default actor, which a thread of the pool enters
/// without being woken. A simulator hands out leases of its own executor instead, so that one seed
/// decides every interleaving.
@safe
public struct ExecutorLease: Sendable {
  private let owner: any AnyObject & Sendable
  let executor: UnownedSerialExecutor

  /// Borrows the executor of an actor.
  ///
  /// - Parameter owner: The actor; the lease keeps it alive.
  public init(actor owner: some Actor) {
    self.owner = owner
    unsafe executor = unsafe owner.unownedExecutor
  }

  /// Borrows a serial executor.
  ///
  /// - Parameter owner: The executor; the lease keeps it alive.
  public init(executor owner: some SerialExecutor) {
    self.owner = owner
    unsafe executor = unsafe owner.asUnownedSerialExecutor()
  }

  /// Makes a default actor and borrows its executor.
  public static func pool() -> ExecutorLease {
    ExecutorLease(actor: PoolActor())
  }
}

/// The owner of an executor of the pool; it has no state, since those who borrow it have theirs.
private actor PoolActor {}
