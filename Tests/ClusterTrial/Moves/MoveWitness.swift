// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  /// What a witness in the database saw of the changes of owners.
  struct MoveWitness: Sendable {
    /// How often a slice got another owner: on average over all slices, and the one that got most.
    var moves = (mean: 0.0, highest: 0)
    /// How often a slice had none in between.
    var breaks = 0

    /// What one slice may be moved at most, on average.
    static let bar = 1.2
  }

  extension TrialCluster {
    /// Lets a witness see each change of an owner from now on.
    func watchMoves() async throws {
      try await sql(
        """
        CREATE TABLE public.move(slice integer, giver integer, receiver integer);
        CREATE FUNCTION public.witness_move() RETURNS trigger LANGUAGE plpgsql
          SECURITY DEFINER SET search_path = proscenium, public AS $$
        BEGIN
          INSERT INTO move VALUES (new.slice, old.owner, new.owner);
          RETURN new;
        END $$;
        CREATE TRIGGER witness_move AFTER UPDATE ON proscenium.slice FOR EACH ROW
          WHEN (old.owner IS DISTINCT FROM new.owner) EXECUTE FUNCTION public.witness_move();
        """)
    }

    /// What the witness saw.
    func moves() async throws -> MoveWitness {
      let row = try await sql(
        """
        SELECT sum(moved)::float / count(*), max(moved), sum(broken) FROM (
          SELECT slice.slice, count(receiver) AS moved,
              count(*) FILTER (WHERE giver IS NOT NULL AND receiver IS NULL) AS broken
            FROM proscenium.slice LEFT JOIN public.move ON move.slice = slice.slice
            GROUP BY slice.slice) AS counts
        """)
      let columns = row.split(separator: "|").compactMap { Double($0) }
      guard columns.count == 3 else { throw TrialFailure("the witness of moves said \"\(row)\"") }
      return MoveWitness(moves: (columns[0], Int(columns[1])), breaks: Int(columns[2]))
    }
  }
#endif
