// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// What a request or a session has for another node: texts by name, and an activity.
  ///
  /// It has the form of a saved state, whose parts have names: a node leaves alone what another
  /// build has added.
  struct RequestFields {
    var state = SavedState()

    init() {
      state.userInfo = [:]
    }

    init(_ message: SceneMessage) throws(SceneError) {
      do throws(SavedStateError) {
        state = try SavedState(decoding: message.bytes)
      } catch {
        throw SceneError(.notDecodable, "expected a request or a session: \(error)")
      }
    }

    subscript(name: String) -> String? {
      get { state.userInfo?[name]?.string }
      set { state.userInfo?[name] = newValue.map { .string($0) } }
    }

    func message(upTo limit: Int) throws(SceneError) -> SceneMessage {
      let bytes: [UInt8]
      do throws(SavedStateError) {
        bytes = try state.encoded()
      } catch {
        throw SceneError(.limitExceeded, "expected what another node can be sent: \(error)")
      }
      guard bytes.count <= limit else {
        throw SceneError(
          .limitExceeded,
          "expected at most \(limit) bytes for another node, found \(bytes.count)")
      }
      return SceneMessage(bytes)
    }
  }
#endif
