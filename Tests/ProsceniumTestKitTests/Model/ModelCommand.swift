// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// A command of a vector's step.
indirect enum ModelCommand {
  enum Launch {
    case icon
    case background
    case event(ModelEvent)
  }

  case launch(Launch)
  case home
  case open(ModelLabel, hold: Bool)
  case newWindow
  case close(ModelLabel)
  case interrupt(ModelLabel)
  case resume(ModelLabel)
  case background(ModelLabel)
  case disconnect(ModelLabel)
  case pressure(count: Int)
  case kill
  case terminate
  case discardWhileDown(ModelLabel)
  case lock
  case unlock
  case tick
  case advance(seconds: Double)
  case activate(ModelLabel?, activity: String?, requester: ModelLabel?)
  case activateRole(String, activity: String?, requester: ModelLabel?)
  case refresh(ModelLabel)
  case destroy(ModelLabel, reason: String)
  case event(ModelEvent)
  case handoffPayload(type: String, activity: String)
  case handoffFail(type: String)
  case drop(activity: String)
  case backup(name: String)
  case restore(name: String)
  case setUserInfo(ModelLabel, JSONValue)
  case setActivity(ModelLabel, String?)
  case setConditions(ModelLabel, can: ModelPredicate?, prefers: ModelPredicate?)
  case completeRestoration(ModelLabel)
  case mutateActivity(String, userInfo: JSONValue)
  case mutateConfiguration
  case evaluate(ModelPredicate, subject: String)
  case parallel([ModelCommand])
}

/// An event from outside: what is routed, and what the session gets.
struct ModelEvent {
  let payload: ModelPayload
  /// The target content identifier, where the payload does not have it.
  let identifier: String?
  /// The session that an event from within the application came from.
  let source: ModelLabel?
}
