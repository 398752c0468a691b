// SPDX-License-Identifier: Apache-2.0

import Proscenium

// In a cluster some requests are about the node that is asked, and not about a session.
extension HostCommand {
  /// Whether it is asked of the node that has the scenes.
  var isOfNode: Bool {
    switch self {
    case .newSession, .backgroundAll, .drop, .dropURL, .relievePressure, .fulfilRefreshes: true
    case .open, .close, .background, .interrupt, .resume, .connect, .disconnect: false
    }
  }
}

extension SessionRequest {
  /// Whether it is asked of the node that has the scenes: no content says which node is meant.
  var isOfNode: Bool {
    switch self {
    case .activate(let request):
      request.session == nil
        && (request.role != .windowApplication
          || request.userActivity?.targetContentIdentifier == nil)
    case .deliver(.handoff, _), .continueHandoff, .failHandoff: true
    case .deliver(let event, _): event.targetContentIdentifier == nil
    case .refresh, .destroy: false
    }
  }
}
