// SPDX-License-Identifier: Apache-2.0

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
    follow(SequenceHandler(ElementReader(elements), body))
  }

  /// Asks for the next element.
  fileprivate func follow<Delegate, Elements>(_ handler: SequenceHandler<Delegate, Elements>) {
    let extras = ensureExtras()
    let token = extras.keep(handler)
    let sender = SceneResult(self, token)
    let reader = handler.reader
    let task = context.services.tasks.start {
      if let element = await reader.next() { sender.send(element) }
    }
    extras.keep(task, token)
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

  override func resume(_ scene: isolated Scene, _ result: any Sendable) {
    guard let delegate = scene.delegate as? Delegate, let element = result as? Elements.Element
    else { return }
    body(delegate, scene, element)
    scene.follow(self)
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
