// SPDX-License-Identifier: Apache-2.0

/// Whose the open sessions are: a pure value.
///
/// Sessions without an owner take no memory here.
struct SessionOwners: Sendable {
  private var sessions: [String: Set<SessionHandle>] = [:]
  private var owners: [SessionHandle: String] = [:]

  /// The sessions of an owner.
  subscript(owner: String) -> Set<SessionHandle> { sessions[owner] ?? [] }

  /// The owner of a session.
  func owner(of session: SessionHandle) -> String? { owners.isEmpty ? nil : owners[session] }

  /// Adds a session.
  mutating func add(_ session: SessionHandle, of owner: String) {
    owners[session] = owner
    sessions[owner, default: []].insert(session)
  }

  /// Takes a session out that has ended.
  mutating func remove(_ session: SessionHandle) {
    guard !owners.isEmpty, let owner = owners.removeValue(forKey: session) else { return }
    sessions[owner]?.remove(session)
    if sessions[owner]?.isEmpty == true { sessions[owner] = nil }
  }
}
