// SPDX-License-Identifier: Apache-2.0

/// The two predicates of a session's conditions.
enum ConditionKind: Sendable {
  case can, prefers
}
