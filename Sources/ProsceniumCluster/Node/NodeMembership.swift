// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium

  /// Keeps a node a member of its cluster: it joins, shows that it lives, looks after the others,
  /// and joins again as a new node if it was buried.
  final class NodeMembership: Sendable {
    private let node: NodeParts
    private let life: NodeLife
    private let service: SliceService
    private let giving: SliceGiving
    private let signs: SignsOfLife
    private let looks: ClusterLooks

    init(_ node: NodeParts, holdsLock: Bool) {
      self.node = node
      life = NodeLife(lease: node.settings.validLease)
      service = SliceService(node)
      giving = SliceGiving(node, life)
      signs = SignsOfLife(node: node, life: life)
      looks = ClusterLooks(
        node: node, life: life, signs: signs, service: service, giving: giving,
        holdsLock: holdsLock)
    }

    /// Lets the node join: its application is launched.
    func begin() {
      life.begin()
    }

    /// Lets the node leave: its application has ended.
    func end() {
      life.end()
      node.duties.bell.finish()
      node.progress.finish()
    }

    /// Ends the node as if its process had ended: the others are not told.
    func abandon() {
      life.abandon()
    }

    /// Is a member, until the node ends.
    func run() async {
      while !life.isBegun, !life.isEnding { _ = await life.bell.wait() }
      while !life.isEnding {
        guard let number = await join() else { continue }
        if await live(as: number) {
          node.log.warning("the node was buried", metadata: ["node": "\(number)"])
          // A look that was under way can have extended the permit by the map of before.
          service.dropAll()
          await service.finishAll()
        } else if !life.isAbandoned {
          try? await node.store.commitRecency()
          try? await node.authority.leave(number)
        }
      }
    }

    private func join() async -> Int32? {
      let settings = node.settings
      do throws(StoreError) {
        let number = try await node.authority.join(
          NodeDescription(
            name: settings.validName, address: settings.address,
            link: node.links?.identity ?? .init(), build: settings.build))
        // No node gives it any from then on, and it claims none.
        if !settings.takesSlices { try await node.authority.drain(number) }
        node.log.info("the node has joined", metadata: ["node": "\(number)"])
        life.haveJoined(at: node.elapsed())
        return number
      } catch {
        signs.noteAnswer(error)
        // A database that does not answer now is asked again, and not at once.
        try? await node.clock.sleep(for: SignsOfLife.pause)
        return nil
      }
    }

    /// Lives under a number; returns whether the node was buried.
    private func live(as number: Int32) async -> Bool {
      // Not in their task: a look can come before it, and the links would not learn the owners.
      node.links?.begin(as: number)
      return await withTaskGroup(of: Bool.self) { group in
        // All end with the first that sees the end, or the burial.
        group.addTask { await self.signs.run(as: number) }
        // Apart: a look takes its time, and a sign of life must not wait for it.
        group.addTask { await self.looks.run(as: number) }
        // Ends when it is cancelled: rows are read while the others go on.
        group.addTask {
          await self.service.run()
          return false
        }
        // Apart: scenes take their time to go, and a look must not wait for them. Ends when it is
        // cancelled, after what it gives.
        group.addTask {
          await self.giving.run(as: number)
          return false
        }
        if let links = node.links {
          // Ends when it is cancelled: lines last as long as the node lives.
          group.addTask {
            await links.run()
            return false
          }
        }
        var isBuried = false
        for await seesBurial in group {
          if seesBurial, !isBuried { service.dropAll() }
          isBuried = isBuried || seesBurial
          group.cancelAll()
          life.bell.ring()
          node.duties.bell.ring()
          giving.wake()
          node.links?.wake()
        }
        return isBuried
      }
    }
  }
#endif
