// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPredicate

@testable import ProsceniumTestKit
@testable import ProsceniumUIKit

// What the program does outside of callbacks, by UIKit's names.
extension UIKitVectorProgram {
  func activate(_ activation: VectorActivation, in run: VectorRun) async throws {
    let application = try application
    let session = try activation.session.map { label throws in try self.session(label) }
    let activity = activation.activity.map { self.activity("\($0)") }
    let options = UIScene.ActivationRequestOptions()
    options.requestingScene = try activation.requester.map { label throws in
      try scene(label.session)
    }
    guard let role = activation.role else {
      return application.requestSceneSessionActivation(
        session, userActivity: activity, options: options, errorHandler: handler("activate"))
    }
    application.activateSceneSession(
      for: UISceneSessionActivationRequest(
        role: UISceneSession.Role(role.role), userActivity: activity, options: options),
      errorHandler: handler("activate"))
  }

  func refresh(_ session: SessionLabel, in run: VectorRun) async throws {
    try application.requestSceneSessionRefresh(self.session(session))
  }

  func destroy(
    _ session: SessionLabel, _ animation: VectorAnimation, in run: VectorRun
  ) async throws {
    let options = UIWindowSceneDestructionRequestOptions()
    options.windowDismissalAnimation =
      switch animation {
      case .standard: .standard
      case .commit: .commit
      case .decline: .decline
      }
    try application.requestSceneSessionDestruction(
      self.session(session), options: options, errorHandler: handler("destroy"))
  }

  func setUserInfo(
    _ value: UserInfoValue, of session: SessionLabel, in run: VectorRun
  ) async throws {
    let session = try self.session(session)
    do throws(Refusal) {
      try session.set(value)
    } catch {
      recorder.fail(error)
    }
  }

  func setActivity(
    _ activity: ActivityLabel?, of session: SessionLabel, in run: VectorRun
  ) async throws {
    try self.session(session).stateRestorationActivity = activity.map { self.activity("\($0)") }
  }

  func setConditions(
    _ change: ConditionsChange, of session: SessionLabel, in run: VectorRun
  ) async throws {
    let scene = try scene(session)
    do throws(Refusal) {
      try scene.set(change)
    } catch {
      recorder.fail(error)
    }
  }

  func completeRestoration(of session: SessionLabel, in run: VectorRun) async throws {
    try self.session(session).scene?.completeStateRestoration()
  }

  func evaluate(_ predicate: PredicateText, _ subject: String) async throws {
    let made = predicate.predicate
    let result = made.evaluate(with: subject)
    if let refusal = made.refusal {
      if result || Faults.take().isEmpty {
        throw VectorDifference("expected a fault of \(predicate), found \(result)")
      }
      return recorder.fail(refusal)
    }
    recorder.log("eval(\(result))")
    let canonical = try made.contentPredicate().description
    let again = NSPredicate(format: canonical)
    guard try again.contentPredicate().description.utf8.elementsEqual(canonical.utf8),
      again.evaluate(with: subject) == result
    else { throw VectorDifference("expected \(canonical) to mean the same as a format") }
  }
}

// What a program sets, and what UIKit answers with an exception.
extension UISceneSession {
  /// Sets the small settings.
  func set(_ value: UserInfoValue) throws(Refusal) {
    let refusal = Refusal(op: "userInfo", code: "notPropertyList")
    // Other values than dictionaries are none of the property's type.
    if value != .null, value.dictionary == nil { throw refusal }
    userInfo = value.dictionary?.mapValues(\.native)
    if !Faults.take().isEmpty { throw refusal }
  }
}

extension UIScene {
  /// Sets the activation conditions: one in place, two together.
  func set(_ change: ConditionsChange) throws(Refusal) {
    let (can, prefers) = (change.can?.predicate, change.prefers?.predicate)
    let isTogether = can != nil && prefers != nil
    let conditions = isTogether ? UISceneActivationConditions() : activationConditions
    if let can { conditions.canActivateForTargetContentIdentifierPredicate = can }
    if let prefers { conditions.prefersToActivateForTargetContentIdentifierPredicate = prefers }
    if Faults.take().isEmpty {
      if isTogether { activationConditions = conditions }
      return
    }
    throw can?.refusal ?? prefers?.refusal ?? Refusal(op: "predicate", code: "a fault")
  }
}

extension PredicateText {
  /// The predicate as a program makes it.
  var predicate: NSPredicate {
    guard let format else { return NSPredicate { _, _ in true } }
    return NSPredicate(format: format, argumentArray: arguments.map(\.value))
  }
}

extension NSPredicate {
  /// Why a scene does not take the predicate, or nil.
  fileprivate var refusal: Refusal? {
    do {
      _ = try contentPredicate()
      return nil
    } catch {
      let code = (error as? PredicateFormatError).map { "\($0.code)" }
      return Refusal(op: "predicate", code: code ?? "blockNotAllowed")
    }
  }
}

extension UserInfoValue {
  /// The value as a program writes it.
  var native: Any {
    switch self {
    case .null: NSNull()
    case .string(let value): value
    case .integer(let value): Int(value)
    case .real(let value): value
    case .boolean(let value): value
    case .date(let value): value
    case .data(let value): Data(value)
    case .url(let value): URL(string: value) ?? value as Any
    case .array(let values): values.map(\.native)
    case .set(let values): Set(values.compactMap { $0.native as? AnyHashable })
    case .dictionary(let values): values.mapValues(\.native)
    }
  }
}
