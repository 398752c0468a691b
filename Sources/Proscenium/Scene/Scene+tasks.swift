// SPDX-License-Identifier: Apache-2.0

// Work that a callback starts and does not wait for.
extension Scene {
  /// Starts work that belongs to the scene, and goes on with its result.
  ///
  /// For everything that a callback cannot do at once: callbacks are synchronous. The work runs
  /// next to the scene and captures values, never the delegate. Its result comes back to the scene
  /// between two other items of its queue, also while a restoration is extended. When the scene is
  /// disconnected, the work is cancelled and `then` is not called any more.
  ///
  /// - Parameters:
  ///   - type: The delegate's class; `then` is not called if the delegate is of another one.
  ///   - work: What is to be done.
  ///   - then: Continues with the result, on the scene.
  public func addTask<Delegate: SceneDelegate, Output: Sendable>(
    _ type: Delegate.Type, _ work: @escaping @Sendable () async -> Output,
    then: @escaping (Delegate, isolated Scene, Output) -> Void
  ) {
    let extras = ensureExtras()
    let token = extras.keep(TypedSceneHandler(then))
    let sender = SceneResult(self, token)
    let task = context.services.tasks.start {
      sender.send(await work())
    }
    extras.keep(task, token)
  }
}

/// Brings one result back to the scene that waits for it.
///
/// If nothing is left that could send it, the scene is told to wait no longer.
final class SceneResult: Sendable {
  private let scene: WeakReference
  private let slot: Int32
  private let signal: @Sendable (SceneSignal, Int32) -> Void
  private let token: Int

  init(_ scene: isolated Scene, _ token: Int) {
    self.scene = WeakReference(scene)
    slot = scene.slot
    signal = scene.context.signal
    self.token = token
  }

  func send(_ result: some Sendable) {
    post(result)
  }

  deinit {
    // After a result has been sent, there is nothing to take any more.
    post(nil)
  }

  private func post(_ result: (any Sendable)?) {
    signal(.resumed(ResumedScene(scene: scene, token: token, result: result)), slot)
  }
}

/// A scene that is to go on with a result.
final class ResumedScene: Sendable {
  let scene: WeakReference
  let token: Int
  let result: (any Sendable)?

  init(scene: WeakReference, token: Int, result: (any Sendable)?) {
    self.scene = scene
    self.token = token
    self.result = result
  }
}

// What a scene follows for as long as it is connected.
extension Scene {
  /// Follows a sequence: calls a function on the scene for each of its elements.
  ///
  /// For changes of what several scenes show: each of them, the one that made the change included,
  /// updates from the sequence. The elements come one at a time and in order, between two other
  /// items of the scene's queue; the next one is asked for when the function has returned. At the
  /// disconnect the task that waits for an element is cancelled, and nothing is called any more.
  ///
  /// - Parameters:
  ///   - type: The delegate's class; the scene stops following if the delegate is of another one.
  ///   - elements: What is to be followed, by one iterator.
  ///   - body: Continues with an element, on the scene.
  public func addTask<Delegate: SceneDelegate, Elements: AsyncSequence>(
    _ type: Delegate.Type, forEach elements: Elements,
    _ body: @escaping (Delegate, isolated Scene, Elements.Element) -> Void
  ) where Elements: Sendable, Elements.Element: Sendable, Elements.Failure == Never {
    SequenceHandler(ElementReader(elements), body).follow(in: self)
  }
}

/// Gives each element of a sequence to a delegate of one class.
private final class SequenceHandler<Delegate: SceneDelegate, Elements: AsyncSequence>: SceneHandler
where Elements: Sendable, Elements.Element: Sendable, Elements.Failure == Never {
  let reader: ElementReader<Elements>
  private let body: (Delegate, isolated Scene, Elements.Element) -> Void

  init(
    _ reader: ElementReader<Elements>,
    _ body: @escaping (Delegate, isolated Scene, Elements.Element) -> Void
  ) {
    self.reader = reader
    self.body = body
  }

  /// Asks for the next element.
  func follow(in scene: isolated Scene) {
    let extras = scene.ensureExtras()
    let token = extras.keep(self)
    let sender = SceneResult(scene, token)
    let reader = reader
    let task = scene.context.services.tasks.start {
      if let element = await reader.next() { sender.send(element) }
    }
    extras.keep(task, token)
  }

  override func resume(_ scene: isolated Scene, _ result: any Sendable) {
    guard let delegate = scene.delegate as? Delegate, let element = result as? Elements.Element
    else { return }
    body(delegate, scene, element)
    follow(in: scene)
  }
}

/// Keeps a place in a sequence while one task after the other asks for the next element.
private actor ElementReader<Elements: AsyncSequence>
where Elements: Sendable, Elements.Element: Sendable, Elements.Failure == Never {
  private let elements: Elements
  private var iterator: Elements.AsyncIterator?

  init(_ elements: Elements) {
    self.elements = elements
  }

  func next() async -> Elements.Element? {
    var iterator = iterator ?? elements.makeAsyncIterator()
    defer { self.iterator = iterator }
    return await iterator.next(isolation: self)
  }
}

/// What few scenes have, so that the others do not pay for it.
final class SceneExtras {
  var userActivity: UserActivity?
  /// When the state is captured, if the settings do not say so.
  var durability: Durability?
  /// What the scene says about its memory.
  var hints = ConnectionHints()
  /// What waits until the state is durable.
  var effects: [@Sendable () -> Void] = []
  /// The lines of the session's clients, if it has some.
  var line: SessionLine?
  /// The frames that wait until the state is durable, if any do.
  var heldFrames: ClosedRange<UInt64>?
  /// The client whose input the delegate is being given.
  var sender: ClientIdentifier?
  /// The last input of which a client is told once the state is durable.
  var heldInput: ClientInput?
  /// The input that was applied, if the saved state is an earlier one.
  var clients: ClientMemory?
  /// The types of activities of other devices whose data is to come.
  var announced: Set<String> = []
  private var nextToken = 0
  private var handlers: [Int: SceneHandler] = [:]
  private var tasks: [Int: SceneTasks.Handle] = [:]

  /// Keeps a handler until its result comes.
  func keep(_ handler: SceneHandler) -> Int {
    nextToken += 1
    handlers[nextToken] = handler
    return nextToken
  }

  func keep(_ task: SceneTasks.Handle, _ token: Int) {
    if handlers[token] != nil { tasks[token] = task }
  }

  /// How many results are to come.
  var pendingCount: Int { handlers.count }

  func take(_ token: Int) -> SceneHandler? {
    tasks[token] = nil
    return handlers.removeValue(forKey: token)
  }

  /// Notes that data of an activity is to come; another scene of the session cannot take it.
  func announce(_ activityType: String) {
    if announced.count >= Delivery.handoffLimit, let any = announced.min() { announced.remove(any) }
    announced.insert(activityType)
  }

  /// Takes an announcement; returns whether there was one.
  func takeAnnounced(_ activityType: String) -> Bool { announced.remove(activityType) != nil }

  /// Whether anything waits until the state is durable.
  var hasEffects: Bool { !effects.isEmpty || heldFrames != nil || heldInput != nil }

  /// Takes what waits until the state is durable.
  func takeEffects() -> [@Sendable () -> Void] {
    defer { (effects, heldFrames, heldInput) = ([], nil, nil) }
    var all = effects
    if let heldInput { all.append(heldInput.acknowledge) }
    if let line, let last = heldFrames?.upperBound {
      all.append { line.change { $0.release(through: last) } }
    }
    return all
  }

  /// Takes back the frames that still wait: the scene has gone, and its state is lost.
  func takeBackFrames() {
    guard let line, let first = heldFrames?.lowerBound else { return }
    heldFrames = nil
    line.change { $0.takeBack(from: first) }
  }

  /// Cancels what still runs; nothing of it comes back to the scene.
  ///
  /// - Returns: What is left: effects that wait for the state that was captured last.
  func end() -> SceneExtras? {
    for task in tasks.values { task.cancel() }
    if !hasEffects { return nil }
    let left = SceneExtras()
    (left.effects, left.line) = (effects, line)
    (left.heldFrames, left.heldInput) = (heldFrames, heldInput)
    return left
  }
}

/// Continues work of a scene with what came of it.
class SceneHandler {
  func resume(_ scene: isolated Scene, _ result: any Sendable) {}
}

/// A handler for a delegate of one class and results of one type.
final class TypedSceneHandler<Delegate: SceneDelegate, Result: Sendable>: SceneHandler {
  private let body: (Delegate, isolated Scene, Result) -> Void

  init(_ body: @escaping (Delegate, isolated Scene, Result) -> Void) {
    self.body = body
  }

  override func resume(_ scene: isolated Scene, _ result: any Sendable) {
    guard let delegate = scene.delegate as? Delegate, let result = result as? Result else {
      return
    }
    body(delegate, scene, result)
  }
}

extension Scene {
  func ensureExtras() -> SceneExtras {
    if let extras { return extras }
    let made = SceneExtras()
    extras = made
    return made
  }
}
