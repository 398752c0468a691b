// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Synchronization

extension ApplicationCore {
  /// Decides a command and appends its plan, in one step behind the gate.
  ///
  /// - Throws: The refusal; nothing has happened then.
  func admit(_ command: Command, _ reporting: Reporting) throws(SceneError) -> Admitted {
    let admitted = try gate.withLock { (gate) throws(SceneError) -> Admitted in
      try gate.admit(command, reporting)
    }
    report(admitted)
    reportResidualPredicates()
    return admitted
  }

  /// Reports what admission decided, with the gate open.
  func report(_ admitted: Admitted) {
    if let type = admitted.undeclared { diagnose(.undeclaredActivityType(type), nil) }
  }

  /// Reports how many predicates are evaluated one by one, with the gate open.
  func reportResidualPredicates() {
    let count = router.residualCount
    if residual.note(count) { diagnose(.residualPredicates(count), nil) }
  }

  /// Admits what follows a discard (R-CFG-6); no caller helps it on.
  func admit(_ replacement: Replacement) {
    do throws(SceneError) {
      let admitted = try admit(replacement.command, replacement.reporting)
      admitted.sleeper?.wake()
      if admitted.asksConfiguration { applicationQueue.ring() }
      if let handle = admitted.handle { directory.mailbox(handle).ring() }
    } catch {
      replacement.reporting.fail(error)
    }
  }
}
