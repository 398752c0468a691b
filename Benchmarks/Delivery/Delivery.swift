// SPDX-License-Identifier: Apache-2.0

import CFloors
import Measuring
import Proscenium

/// Events on their way from a sender to the state of a scene.
@main
enum Delivery {
  static func main() async {
    await SuiteProgram.run { addContests() }
  }

  private static func addContests() {
    let scale = Scale.current
    for scenes in scale.sizes {
      Contest("deliver", ["scenes": scenes]).add(to: "Delivery") {
        let population = try await ScenePopulation(scenes) { CountingDelegate() }
        let delivery = EventDelivery(population)
        var contenders: [Contender] = [
          .runtime { try await delivery.measure() },
          .floor { floor_hand_over(UInt32(scenes), $0) },
        ]
        guard scenes == scale.rivalSize else { return contenders }
        for name in ["erlang", "caf", "go", "tokio"] {
          contenders += Contender.rival(
            name, path: "deliver", sessions: scenes, workers: 2)
        }
        return contenders
      }
    }
  }
}
