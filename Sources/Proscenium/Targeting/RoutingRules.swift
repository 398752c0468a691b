// SPDX-License-Identifier: Apache-2.0

/// What the manifest and the host allow, as far as a routing decision asks for it.
package struct RoutingRules: Sendable {
  /// Whether there may be a second session (section 3.3, rule 1).
  package var supportsMultipleScenes: Bool
  /// How many sessions of all roles may be open, or nil for no limit (rule 6).
  package var sessionQuota: Int?

  package init(supportsMultipleScenes: Bool = true, sessionQuota: Int? = nil) {
    self.supportsMultipleScenes = supportsMultipleScenes
    self.sessionQuota = sessionQuota
  }
}
