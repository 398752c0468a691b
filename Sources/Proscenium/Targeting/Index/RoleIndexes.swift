// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What the index knows of the sessions of each role, of which there are at most 256.
@safe
struct RoleIndexes: ~Copyable, Sendable {
  /// One role.
  struct Role: ~Copyable {
    /// In the place of a best one: nobody has asked for a while, and the router has to.
    static let unknown = Posting.none - 1

    /// The best of the sessions that can show everything, as nearly all can.
    let bestOfDefaults = Atomic<UInt32>(Posting.none)
    /// The best of the others.
    let bestOfOthers = Atomic<UInt32>(Posting.none)
    /// The ``PredicateIndex`` of what the others can, made when it is needed.
    let can = Atomic<UInt>(0)
    /// The ``PredicateIndex`` of what sessions prefer, made when it is needed.
    let prefers = Atomic<UInt>(0)
    /// For the writer: the sessions that can show everything in the order of R-RT-6, by their
    /// places, and the others.
    let defaults = Address.allocateApart(Lineup())
    let others = Address.allocateApart(Lineup())

    /// Those who can show everything, or the others.
    @inline(__always)
    func lineup(_ canShowEverything: Bool) -> Address<Lineup> {
      canShowEverything ? defaults : others
    }

    /// The best of one side, or ``unknown``.
    @inline(__always)
    func best(_ canShowEverything: Bool) -> UInt32 {
      withBest(canShowEverything) { $0.load(ordering: .acquiring) }
    }

    /// Calls a function with the word in which readers find the best of one side.
    @inline(__always)
    func withBest<Result>(
      _ canShowEverything: Bool, _ body: (borrowing Atomic<UInt32>) -> Result
    ) -> Result {
      canShowEverything ? body(bestOfDefaults) : body(bestOfOthers)
    }
  }

  private let roles: UInt

  init() {
    let memory = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 256)
    for role in 0..<256 { unsafe (memory + role).initialize(to: Atomic(0)) }
    roles = UInt(bitPattern: memory)
  }

  deinit {
    for number in 0..<256 {
      let role = self[UInt8(number)]
      if role.isNone { continue }
      unsafe Self.destroy(Address<PredicateIndex>(role.node.pointee.can))
      unsafe Self.destroy(Address<PredicateIndex>(role.node.pointee.prefers))
      unsafe Self.destroy(role.node.pointee.defaults)
      unsafe Self.destroy(role.node.pointee.others)
      unsafe role.node.deinitialize(count: 1)
      role.free()
    }
    unsafe memory.deallocate()
  }

  private static func destroy<Node: ~Copyable>(_ node: Address<Node>) {
    guard !node.isNone else { return }
    unsafe node.node.deinitialize(count: 1)
    node.free()
  }

  @inline(__always)
  private var memory: UnsafeMutablePointer<Atomic<UInt>> {
    unsafe UnsafeMutablePointer(bitPattern: roles).unsafelyUnwrapped
  }

  /// The role's sessions, or nowhere if it never had any.
  @inline(__always)
  subscript(role: UInt8) -> Address<Role> {
    unsafe Address(memory[Int(role)])
  }

  /// The role's sessions, for the writer.
  func demand(_ role: UInt8) -> Address<Role> {
    let known = self[role]
    if !known.isNone { return known }
    let new = Address.allocateApart(Role())
    unsafe memory[Int(role)].store(new.bits, ordering: .releasing)
    return new
  }
}

extension Address where Node == RoleIndexes.Role {
  /// The index of a kind of predicates, for the writer.
  func demand(_ kind: ConditionKind) -> Address<PredicateIndex> {
    let known = index(kind)
    if !known.isNone { return known }
    let new = PredicateIndex.make()
    switch kind {
    case .can: unsafe node.pointee.can.store(new.bits, ordering: .releasing)
    case .prefers: unsafe node.pointee.prefers.store(new.bits, ordering: .releasing)
    }
    return new
  }

  /// The index of a kind of predicates, or nowhere.
  @inline(__always)
  func index(_ kind: ConditionKind) -> Address<PredicateIndex> {
    switch kind {
    case .can: unsafe Address<PredicateIndex>(node.pointee.can)
    case .prefers: unsafe Address<PredicateIndex>(node.pointee.prefers)
    }
  }
}
