// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

@testable import Proscenium

/// The witness of the promised order finds each kind of wrong order, and nothing in a right one.
@Suite struct OrderingWitnessTests {
  typealias Kind = LifecycleEvent.Kind

  /// What is told, of session 1 unless it is of the application.
  struct Told: Sendable {
    let kind: Kind
    var session: SessionIdentifier? = .number(1)

    static func app(_ notification: LifecycleEvent.ApplicationNotification) -> Told {
      Told(kind: .applicationNotification(notification), session: nil)
    }
  }

  private static func told(_ kinds: Kind...) -> [Told] { kinds.map { Told(kind: $0) } }

  /// What the witness says of the last event; nothing may be wrong about those before.
  private static func verdict(_ told: [Told]) -> String? {
    var witness = OrderingWitness()
    var verdict: String?
    for (index, each) in told.enumerated() {
      verdict = witness.see(
        LifecycleEvent(session: each.session, kind: each.kind, time: .zero))
      if index < told.count - 1 { #expect(verdict == nil) }
    }
    return verdict
  }

  // MARK: - A right order

  private static let connect = told(
    .configured(name: "Main"), .connected(isNew: true), .notification(.willConnect),
    .transition(from: .unattached, to: .background))
  private static let comeForward =
    told(
      .notification(.willEnterForeground), .transition(from: .background, to: .foregroundInactive))
    + [.app(.willEnterForeground)]
    + told(
      .transition(from: .foregroundInactive, to: .foregroundActive), .notification(.didActivate))
    + [.app(.didBecomeActive)]
  private static let leave =
    told(
      .notification(.willDeactivate),
      .transition(from: .foregroundActive, to: .foregroundInactive))
    + [.app(.willResignActive)]
    + told(
      .transition(from: .foregroundInactive, to: .background),
      .notification(.didEnterBackground))
    + [.app(.didEnterBackground)]
    + told(.captured(isChanged: true), .snapshotTaken(variant: nil), .settledInBackground)
  private static let disconnect = told(
    .transition(from: .background, to: .unattached), .notification(.didDisconnect),
    .disconnected(.system))

  @Test func `a whole life is right, and another scene of the session after it`() {
    let again = Array(Self.connect.dropFirst())
    let life = Self.connect + Self.comeForward + Self.leave + Self.disconnect + again
    let end = Self.disconnect + Self.told(.discarded(.dismissed(.standard)))
    #expect(Self.verdict(life + end + [.app(.willTerminate)]) == nil)
  }

  @Test func `a scene that is closed in the foreground, or visits it for a snapshot, is right`() {
    let closed =
      Self.connect + Self.comeForward
      + Self.told(
        .notification(.willDeactivate),
        .transition(from: .foregroundActive, to: .foregroundInactive),
        .transition(from: .foregroundInactive, to: .unattached), .notification(.didDisconnect))
      + [.app(.didEnterBackground)]
    #expect(Self.verdict(closed) == nil)
    let visiting =
      Self.connect
      + Self.told(
        .notification(.willEnterForeground),
        .transition(from: .background, to: .foregroundInactive),
        .transition(from: .foregroundInactive, to: .background),
        .notification(.didEnterBackground))
    #expect(Self.verdict(visiting) == nil)
  }

  @Test func `what is lost or diagnosed of a discarded session is right`() {
    let late = Self.told(
      .discarded(.whileNotRunning), .lost(.message("hello")), .diagnosed(.unhandledEvent))
    #expect(Self.verdict(late) == nil)
  }

  // MARK: - Wrong orders

  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let told: [Told]
    /// What the sentence names.
    let rule: String
  }

  static let wrong = [
    Wrong(
      testDescription: "configured with a scene",
      told: connect + told(.configured(name: "Main")), rule: "(2.8 a)"),
    Wrong(
      testDescription: "a callback before its scene", told: told(.notification(.willConnect)),
      rule: "(2.8 a)"),
    Wrong(
      testDescription: "connected twice", told: connect + told(.connected(isNew: false)),
      rule: "(2.8 d)"),
    Wrong(
      testDescription: "willConnect twice", told: connect + told(.notification(.willConnect)),
      rule: "(2.8 a)"),
    Wrong(
      testDescription: "active before willConnect",
      told: Array(connect.prefix(2)) + told(.notification(.didActivate)), rule: "(2.8 a)"),
    Wrong(
      testDescription: "a callback after didDisconnect",
      told: connect + disconnect.prefix(2) + told(.notification(.didEnterBackground)),
      rule: "(2.8 a)"),
    Wrong(
      testDescription: "released before it was told",
      told: connect + told(.disconnected(.system)), rule: "(2.8 b)"),
    Wrong(
      testDescription: "discarded with its scene",
      told: connect + told(.discarded(.dismissed(.standard))), rule: "(2.8 b)"),
    Wrong(
      testDescription: "a scene after the discard",
      told: told(.discarded(.whileNotRunning), .connected(isNew: false)), rule: "(2.8 c)"),
    Wrong(
      testDescription: "a capture after the discard",
      told: told(.discarded(.whileNotRunning), .captured(isChanged: false)), rule: "(2.8 c)"),
    Wrong(
      testDescription: "discarded twice",
      told: told(.discarded(.whileNotRunning), .discarded(.whileNotRunning)), rule: "(2.8 c)"),
    Wrong(
      testDescription: "the end before a scene's", told: connect + [.app(.willTerminate)],
      rule: "(2.8 e)"),
    Wrong(
      testDescription: "the application before its scene", told: connect + [.app(.didBecomeActive)],
      rule: "(2.8 f)"),
    Wrong(
      testDescription: "the application twice for one cause",
      told: connect + comeForward + [.app(.didBecomeActive)], rule: "(2.8 f)"),
    Wrong(
      testDescription: "an edge that is not there",
      told: connect + told(.transition(from: .background, to: .foregroundActive)),
      rule: "(semantics#legal-transitions)"),
    Wrong(
      testDescription: "an edge from elsewhere",
      told: connect + told(.transition(from: .foregroundInactive, to: .foregroundActive)),
      rule: "(semantics#legal-transitions)"),
  ]

  @Test(arguments: wrong)
  func `a wrong order is found, with the rule that it breaks`(wrong: Wrong) {
    let verdict = Self.verdict(wrong.told)
    #expect(verdict?.contains(wrong.rule) == true, "\(verdict ?? "nothing is wrong")")
  }

  @Test func `only so many discarded sessions are remembered`() {
    var witness = OrderingWitness()
    func see(_ number: UInt64, _ kind: Kind) -> String? {
      witness.see(LifecycleEvent(session: .number(number), kind: kind, time: .zero))
    }
    for number in 1...4_097 as ClosedRange<UInt64> {
      #expect(see(number, .discarded(.whileNotRunning)) == nil)
    }
    #expect(see(2, .connected(isNew: false)) != nil)
    #expect(see(1, .connected(isNew: false)) == nil)
  }
}
