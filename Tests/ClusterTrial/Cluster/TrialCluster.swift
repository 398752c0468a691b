// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPostgres

  /// A database on a private server, with witnesses in it that no node can reach, and the folder of
  /// the nodes' histories.
  struct TrialCluster: Sendable {
    let server: PostgresServer
    let database: String
    let folder: String
    let address: String
    /// In seconds.
    var lease: Double

    init(on server: PostgresServer, _ number: Int, lease: Double) async throws {
      self.server = server
      self.lease = lease
      database = try await server.makeDatabase()
      address = server.url(database: database)
      folder = Self.folder(number, of: server)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try await PostgresStoreSetup.run(address, granting: [])
      try await sql(Self.witnesses)
    }

    /// Where the nodes of a cluster on a server have what they write.
    static func folder(_ number: Int, of server: PostgresServer) -> String {
      "\(server.home)/cluster\(number)"
    }

    @discardableResult
    func sql(_ text: String) async throws -> String {
      try await server.sql(text, database: database)
    }

    /// What sees each row that is written in an epoch that is over, each version that goes back,
    /// and each burial.
    private static let witnesses = """
      CREATE TABLE public.stale(id uuid, version bigint, was bigint, epoch integer);
      CREATE FUNCTION public.witness() RETURNS trigger LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = proscenium, public AS $$
      DECLARE current_epoch integer;
      BEGIN
        SELECT slice.epoch INTO current_epoch FROM slice
          WHERE slice = (new.place & 65535) >> 6;
        IF new.version > 0 AND (new.version >> 40 <> current_epoch OR new.version <= old.version)
        THEN
          INSERT INTO stale VALUES (new.id, new.version, old.version, current_epoch);
        END IF;
        RETURN new;
      END $$;
      CREATE TRIGGER witness BEFORE UPDATE ON proscenium.state
        FOR EACH ROW EXECUTE FUNCTION public.witness();
      CREATE TABLE public.burial(node integer, name text);
      CREATE FUNCTION public.witness_burial() RETURNS trigger LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = proscenium, public AS $$
      BEGIN
        IF new.state = 'x' AND old.state <> 'x' THEN
          INSERT INTO burial VALUES (new.node, new.name);
        END IF;
        RETURN new;
      END $$;
      CREATE TRIGGER witness_burial BEFORE UPDATE ON proscenium.node
        FOR EACH ROW EXECUTE FUNCTION public.witness_burial();
      """

    /// Leaves the lock out of the save, which must be found.
    ///
    /// The gap between the look and the write is wider, and a burial ends no connections, which
    /// would hide most of it.
    func breakTheFence() async throws {
      let definition = try await sql(
        "SELECT pg_get_functiondef('proscenium.save_1'::regproc)")
      let lock = "PERFORM pg_advisory_xact_lock_shared(7461, me);"
      let look = "IF NOT FOUND THEN RETURN false; END IF;"
      guard definition.contains(lock), definition.contains(look) else {
        throw TrialFailure("the save has another form: the control cannot be made")
      }
      try await sql(
        definition.replacing(lock, with: "")
          .replacing(look, with: look + " PERFORM pg_sleep(random() * 0.3);", maxReplacements: 1))
      try await sql(
        """
        CREATE OR REPLACE FUNCTION proscenium.end_connections(of_node integer, line text)
          RETURNS void LANGUAGE sql AS ''
        """)
    }
  }
#endif
