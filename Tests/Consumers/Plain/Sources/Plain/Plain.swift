// SPDX-License-Identifier: Apache-2.0

import Proscenium

final class Counter: SceneDelegate {
  private var count = 0

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    count += 1
    return "\(count)"
  }
}

@main struct Plain {
  static func main() async throws {
    let manifest: SceneManifest = [SceneConfiguration("Counter", Counter.init)]
    let count = try await Application.withRunning(manifest: manifest) { application in
      let session = try await application.activateSceneSession()
      return try await application.call("count", to: session.id).string
    }
    print(count)
  }
}
