// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPredicate
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumCluster

  @Suite struct RequestCodingTests {
    private static let session = SessionIdentifier(high: 0x1234, low: 0x5678)

    private static func requests() -> [ForwardedRequest] {
      var activity = UserActivity("show", userInfo: ["page": .url("file:7")])
      activity.targetContentIdentifier = "doc/1"
      let options = Scene.ActivationRequestOptions(
        requestingScene: SessionIdentifier(high: 9, low: 8), group: "left", owner: "ann",
        collectionJoinBehavior: .preferredWithoutActivating)
      return ForwardedRequest.Action.allCases.map { .action($0) }
        + [.destroy(.standard), .destroy(.commit), .destroy(.decline)]
        + [.newSession("panel", "left", owner: "ann"), .newSession("panel", nil, owner: nil)]
        + [
          .activate(.init(role: "panel", userActivity: activity, options: options)),
          .activate(.init(session: session, userActivity: activity, options: options)),
          .activate(.init(session: session)), .activate(.init()),
        ] + events().map { .event($0) }
    }

    /// Events of all kinds.
    private static func events() -> [RoutedEvent] {
      let info: [String: UserInfoValue] = ["page": .array([.url("file:7"), .null])]
      var activity = UserActivity("show", userInfo: info)
      activity.targetContentIdentifier = "doc/1"
      let options = OpenURLOptions(
        sourceApplication: "mail", annotation: .set([.integer(1)]), openInPlace: true)
      let events: [SceneEvent] = [
        .url(OpenURLContext("doc/1")), .url(OpenURLContext("", options: options)),
        .activity(activity),
        .shortcut(ShortcutItem("new", localizedTitle: "Neu", userInfo: info)),
        .shortcut(ShortcutItem("open", targetContentIdentifier: "doc/1")),
        .notification(NotificationResponse("n", targetContentIdentifier: "doc/1", userInfo: info)),
        .notification(NotificationResponse("n", actionIdentifier: "later")),
        .share(ShareMetadata("s", userInfo: info)), .share(ShareMetadata("s")),
        .handoff(activityType: "edit", targetContentIdentifier: "doc/1"),
      ]
      return events.flatMap { event in
        RoutingScope.allCases.map { RoutedEvent(event, source: session, group: "left", scope: $0) }
          + [RoutedEvent(event)]
      }
    }

    @Test func `a question about content and its answer are read as they were written`() throws {
      for routed in Self.events() {
        let read = try ContentQuestion.decoded(ContentQuestion.event(routed).encoded())
        #expect("\(read)" == "\(ContentQuestion.event(routed))")
      }
      for source in [nil, Self.session] {
        let question = ContentQuestion.best("doc/1", source: source)
        #expect("\(try ContentQuestion.decoded(question.encoded()))" == "\(question)")
      }
      let answers: [ContentAnswer] = [
        .nothing, .moving, .best(Self.session, .background, isSource: true),
        .best(Self.session, .active, isSource: false),
        .session(StoredSession(persistentIdentifier: Self.session)),
      ]
      for answer in answers {
        #expect(try ContentAnswer.decoded(answer.encoded().get()) == answer)
      }
      for bytes in [[], [3], [2, 1, 0], [2, 9] + [UInt8](repeating: 0, count: 17), [0, 0]]
        as [[UInt8]]
      {
        #expect(throws: SceneError.self) { try ContentAnswer.decoded(SceneMessage(bytes)) }
      }
    }

    @Test func `every request is read as it was written`() throws {
      for request in Self.requests() {
        let read = try ForwardedRequest.decoded(request.encoded(), for: Self.session).get()
        #expect("\(read)" == "\(request)")
      }
    }

    @Test func `a session is read without its saved state`() throws {
      var conditions = SceneActivationConditions()
      conditions.can = .equals("doc/1")
      conditions.prefers = .hasPrefix("doc/")
      let session = StoredSession(
        persistentIdentifier: Self.session, role: "panel", configurationName: "Panel",
        delegateClass: "PanelDelegate", sceneClass: "PanelScene", manifestRevision: "3",
        group: "left", activationConditions: conditions, title: "Über", subtitle: "",
        destructionConditions: [.systemDisconnection], owner: "ann")
      let read = try StoredSession.decoded(session.encoded().get()).get()
      #expect(read == session)
      let plain = StoredSession(persistentIdentifier: Self.session)
      #expect(try StoredSession.decoded(plain.encoded().get()).get() == plain)
      #expect(try StoredSession.decoded(SceneMessage("")).get() == nil)
    }

    @Test func `a request that is larger than a message is refused`() throws {
      let activity = UserActivity(
        "show", userInfo: ["text": .string(String(repeating: "x", count: SceneMessage.sizeLimit))])
      let error = #expect(throws: SceneError.self) {
        try ForwardedRequest.activate(.init(userActivity: activity)).encoded()
      }
      #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any bytes are a request or refused`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      for request in Self.requests() {
        let bytes = try request.encoded().bytes
        for _ in 0..<50 {
          var changed = bytes
          for _ in 0...random.number(below: 3) where !changed.isEmpty {
            let place = random.number(below: changed.count)
            switch random.number(below: 3) {
            case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: changed.remove(at: place)
            default: changed.removeSubrange(place...)
            }
          }
          let message = SceneMessage(changed)
          if case .failure(let error) = ForwardedRequest.decoded(message, for: Self.session) {
            #expect(error.code == .notDecodable)
          }
          if case .failure(let error) = StoredSession.decoded(message) {
            #expect(error.code == .notDecodable)
          }
          _ = try? ContentQuestion.decoded(message)
          _ = try? ContentAnswer.decoded(message)
        }
      }
    }
  }
#endif
