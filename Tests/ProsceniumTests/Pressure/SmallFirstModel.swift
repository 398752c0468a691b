// SPDX-License-Identifier: Apache-2.0

struct SmallFirstModel: OrderModel {
  var aside: [UInt32] = []
  private var new: [UInt32] = []
  private var main: [UInt32] = []
  private var uses: [UInt32: Int] = [:]
  private var sessions: [UInt32: UInt32] = [:]
  // Sessions that went as new ones; nil where one has come back since.
  private var ghosts: [UInt32?] = []
  private var capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  mutating func setCapacity(_ capacity: Int) {
    guard capacity != self.capacity else { return }
    self.capacity = capacity
    ghosts = ghosts.filter { $0 != nil }.suffix(capacity)
  }

  mutating func connect(_ scene: UInt32, session: UInt32) {
    uses[scene] = 0
    sessions[scene] = session
    if let index = ghosts.firstIndex(of: session) {
      ghosts[index] = nil
      main.append(scene)
    } else {
      new.append(scene)
    }
  }

  mutating func use(_ scene: UInt32) {
    uses[scene] = uses[scene].map { min($0 + 1, 3) }
  }

  mutating func remove(_ scene: UInt32, isDiscarded: Bool) {
    if new.contains(scene), !isDiscarded, let session = sessions[scene],
      !ghosts.contains(session)
    {
      ghosts.append(session)
      ghosts = ghosts.suffix(capacity)
    }
    new.removeAll { $0 == scene }
    main.removeAll { $0 == scene }
    aside.removeAll { $0 == scene }
    uses[scene] = nil
    sessions[scene] = nil
  }

  mutating func inTurn(_ spared: Set<UInt32>) -> UInt32? {
    while !new.isEmpty || !main.isEmpty {
      let isNew = main.isEmpty || new.count > (new.count + main.count) / 10
      let scene = isNew ? new.removeFirst() : main.removeFirst()
      let count = uses[scene, default: 0]
      if spared.contains(scene) {
        aside.append(scene)
      } else if isNew, count > 1 {
        uses[scene] = 0
        main.append(scene)
      } else if !isNew, count > 0 {
        uses[scene] = count - 1
        main.append(scene)
      } else {
        if isNew { new.insert(scene, at: 0) } else { main.insert(scene, at: 0) }
        return scene
      }
    }
    return nil
  }

  mutating func takeBack(_ scene: UInt32) { main.append(scene) }
}
