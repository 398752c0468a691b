// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import ProsceniumSQLite
  import Testing

  /// How the commands about stores in PostgreSQL are found, and what they refuse without a server.
  @Suite(.timeLimit(.minutes(10))) struct ClusterProgramTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test(
      arguments: [
        ["cluster", "--help"], ["cluster", "status", "--help"], ["cluster", "release", "--help"],
        ["cluster", "drain", "--help"],
        ["cluster", "cluster", "--help"], ["cluster", "verify", "--help"],
        ["cluster", "inspect", "--help"],
        ["store", "init", "--help"], ["store", "copy", "--help"],
      ])
    func `the help has examples`(arguments: [String]) async throws {
      let run = try await ProgramRun(arguments)
      #expect(run.status == 0)
      #expect(run.output.contains("EXAMPLES"))
      #expect(run.errors.isEmpty)
    }

    @Test func `the help of this program knows the commands of the other one`() async throws {
      let store = try await ProgramRun(["store", "--help"])
      #expect(store.output.contains("init ADDRESS") && store.output.contains("copy FROM TO"))
      for command in ["inspect", "verify"] {
        #expect(try await ProgramRun([command, "--help"]).output.contains("proscenium-cluster"))
      }
    }

    @Test func `without the other program it is said how it is built`() async throws {
      let run = try await ProgramRun(
        shell: """
          cp "$program" '\(folder.path)/proscenium' && cd '\(folder.path)'
          for words in 'store copy a b' 'store init a' 'verify --key k postgres://h/d' \\
            'inspect postgresql://h/d --json' 'cluster status'
          do ./proscenium $words; echo $?; done
          """)
      let advice =
        "proscenium: expected the program proscenium-cluster next to this one; it is built by "
        + "'swift build --traits Complete,Cluster --product proscenium-cluster'.\n"
      #expect(run.errors == String(repeating: advice, count: 5))
      #expect(run.output == "2\n2\n2\n2\n2\n")
    }

    @Test func `the other program gets the words as they are, and no others`() async throws {
      let run = try await ProgramRun(
        shell: """
          cp "$program" '\(folder.path)/proscenium' && cd '\(folder.path)'
          printf '#!/bin/sh\\necho "$@"\\n' > proscenium-cluster && chmod +x proscenium-cluster
          ./proscenium verify --key 'a key' postgres://h/d
          ./proscenium store copy a b
          ./proscenium cluster status --all
          ./proscenium verify nothing.store
          ./proscenium store upgrade nothing.store
          """)
      #expect(
        run.output == "verify --key a key postgres://h/d\nstore copy a b\nstatus --all\nunusable\n")
      #expect(run.errorLines == 2)
    }

    @Test(
      arguments: [
        ["cluster", "bogus"], ["cluster", "status"], ["cluster", "status", "sessions.store"],
        ["cluster", "status", "postgres://u:secret@h/d", "--death-limit", "0"],
        ["cluster", "release", "postgres://u:secret@h/d"],
        ["cluster", "release", "postgres://u:secret@h/d", "-1"],
        ["cluster", "release", "postgres://u:secret@h/d", "x"],
        ["store", "init"], ["store", "init", "not-an-address"],
        ["store", "init", "postgres://h/d?bogus=1"], ["store", "copy", "a"],
        ["store", "copy", "a", "a"], ["store", "copy", "postgres://h/d", "a"],
        ["verify", "postgres://h/d"], ["inspect", "postgres://h/d", "--session", "x"],
        ["backup", "postgres://u:secret@h/d", "copy"],
        ["forget", "postgres://u:secret@h/d", "--all", "--yes"],
        ["store", "upgrade", "postgres://u:secret@h/d"],
        ["store", "init", "postgres://u:sec%ret@h/d"],
        ["store", "copy", "postgres://u:secret@h/d", "a"],
        ["store", "copy", "postgres://u:secret@127.0.0.1:1/d", "a", "--key", "/dev/null"],
      ])
    func `arguments that cannot be used are refused in one line, without a password`(
      arguments: [String]
    ) async throws {
      let run = try await ProgramRun(arguments)
      #expect(run.isExit)
      #expect(run.status == 2)
      #expect(run.errorLines == 1, "\(run.errors)")
      #expect(run.errors.hasPrefix("proscenium: "))
      #expect(!run.errors.contains("ret@") && !run.errors.contains("secret"), "\(run.errors)")
      #expect(run.output.isEmpty)
    }

    @Test func `a server that is not there is an error, and nothing is made`() async throws {
      try await SampleStore.make(at: folder.path + "/s").store.close()
      let address = "postgres://u:secret@127.0.0.1:1/d"
      let key = folder.path + "/s.key"
      for arguments in [
        ["verify", address, "--key", key], ["inspect", address], ["store", "init", address],
        ["cluster", "status", address], ["cluster", "status", address, "--watch"],
        ["cluster", "release", address, "3"], ["store", "copy", folder.path + "/s", address],
        ["store", "copy", address, folder.path + "/new", "--key", key],
      ] {
        let run = try await ProgramRun(arguments)
        #expect(run.status == 2)
        #expect(run.errorLines == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("proscenium: postgres://127.0.0.1:1/d: "), "\(run.errors)")
        #expect(run.output == (arguments[0] == "verify" ? "unusable\n" : ""))
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["s", "s.key", "s.lock"])
    }
  }
#endif
