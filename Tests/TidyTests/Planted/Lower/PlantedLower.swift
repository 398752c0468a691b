// SPDX-License-Identifier: Apache-2.0

/// One half of a planted cycle: it uses a member that a file of the other folder defines, and no
/// name of a type there.
struct PlantedLower {
  let depth: Int

  var height: Int { raised - depth }
}
