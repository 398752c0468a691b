// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A command of a vector's step.
indirect enum VectorCommand: Sendable {
  enum Launch: Sendable {
    case icon, background
    case event(VectorEvent)
  }

  case launch(Launch)
  case home
  case open(SessionLabel, hold: Bool)
  case newWindow
  case close(SessionLabel)
  case interrupt(SessionLabel)
  case resume(SessionLabel)
  case background(SessionLabel)
  case disconnect(SessionLabel)
  case pressure(count: Int)
  case kill
  case terminate
  case discardWhileDown(SessionLabel)
  case lock
  case unlock
  case tick
  case advance(Duration)
  case activate(SessionLabel?, VectorRole, activity: String?, requester: SceneLabel?)
  case refresh(SessionLabel)
  case destroy(SessionLabel, Scene.DestructionReason)
  case event(VectorEvent)
  case handoffPayload(type: String, activity: String)
  case handoffFailure(type: String)
  case drop(activity: String)
  case backup(String)
  case restore(String)
  case setUserInfo(SessionLabel, UserInfoValue)
  case setStateRestorationActivity(SessionLabel, activity: String?)
  case setActivationConditions(SessionLabel, ConditionsChange)
  case completeStateRestoration(SessionLabel)
  case mutateActivity(String, userInfo: [String: UserInfoValue])
  case mutateReturned(SessionLabel, delegateClass: String?)
  case evaluate(PredicateText, subject: String)
  case parallel([VectorCommand])
}
