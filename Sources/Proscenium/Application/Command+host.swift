// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

extension Command {
  /// What a host's command comes to: one command, or those that are chosen when it is admitted.
  enum Decoded {
    case one(Command)
    case several((borrowing Admitter) -> [Command])
  }

  static func decoded(_ command: HostCommand) -> Decoded {
    switch command {
    case .open(let session, let hold): .one(.open(session, hold: hold))
    case .newSession(let role, let group, let owner):
      .one(.newSession(NewSession(role: role, group: group, owner: owner)))
    case .close(let session): .one(.close(session))
    case .background(let session): .one(.background(session))
    case .interrupt(let session): .one(.interrupt(session))
    case .resume(let session): .one(.resume(session))
    case .drop(let activity): .one(.drop(.activity(activity)))
    case .dropURL(let context): .one(.drop(.url(context)))
    case .connect(let session): .one(.connect(session))
    case .disconnect(let session): .one(.disconnect(session, .system))
    case .backgroundAll: .several(foreground)
    case .relievePressure(let count): .several(victims(count))
    case .fulfilRefreshes:
      .several { gate in
        let directory = gate.directory
        return gate.pendingRefreshes.all.map { .fulfilRefresh(directory.identifier($0.session)) }
      }
    }
  }

  private static func foreground(_ gate: borrowing Admitter) -> [Command] {
    let directory = gate.directory
    var commands: [Command] = []
    gate.ledger.forEachOpen { handle, record in
      if record.state.isForeground { commands.append(.background(directory.identifier(handle))) }
    }
    return commands
  }

  static func victims(_ count: Int) -> (borrowing Admitter) -> [Command] {
    { gate in
      let directory = gate.directory
      return gate.ledger.pressureVictims(
        count: count,
        sparing: { handle in
          directory.mailbox(handle).state.withLock { state in
            let entry = state.entries[handle.slot(directory.shardBits)]
            // One that gives way to a scene which is held up is still on the screen.
            guard let scene = entry.scene else { return true }
            return scene.isRestoring || scene.activationState != .background
          }
        }, identifier: directory.identifier
      )
      .map { .disconnect(directory.identifier($0), .system) }
    }
  }
}
