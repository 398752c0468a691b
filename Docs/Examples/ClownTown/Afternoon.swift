// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit

/// An afternoon with the program: this file plays its user and the system.
@main struct Afternoon {
  static func main() async throws {
    let town = Town(clowns: Folder(["bozo": "Bozo juggles.", "coco": "Coco falls."]))
    let device = TestDevice(manifest: .clownTown(town), delegate: { TownDelegate(town) })
    let show = Narrator(device: device, town: town)

    try await device.launch()
    let list = device.sessions[0]
    try await show("The program is launched.")

    try device.application.send("bozo", to: list.id)
    await device.settle()
    let bozo = device.sessions[1]
    try await show("The user picks bozo in the list: an editor opens.")

    try device.application.send(" And sings.", to: bozo.id)
    try await show("The user types.")

    try await device.host.drop(.editing("coco"))
    let coco = device.sessions[2]
    try device.application.send(" Twice.", to: coco.id)
    try await show("The user drags coco out of the list into a window of its own, and types.")

    try await device.application.deliver(.url(OpenURLContext("clown:bozo")))
    try await show("A URL is opened: it goes to the window that shows bozo.")

    try await device.host.perform(.backgroundAll)
    await device.kill()
    try await device.launch()
    try await show("The user goes home, the system kills the process, the user comes back.")

    let visit = NotificationResponse("visit", targetContentIdentifier: "clown:bozo")
    try await device.application.deliver(.notification(visit))
    try device.application.send("save", to: bozo.id)
    try await show("The user answers a notification about bozo, and saves.")

    try await device.terminate()
    try device.discardWhileDown(coco.id)
    try await device.launch()
    try await show("The program ends; the user closes coco's window and launches it again.")
    try await device.terminate()
  }
}
