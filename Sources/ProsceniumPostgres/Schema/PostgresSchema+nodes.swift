// SPDX-License-Identifier: Apache-2.0

#if Cluster
  extension PostgresSchema {
    /// Functions by which nodes come and go, and slices change their owners.
    ///
    /// Locks are taken in one order: the advisory one of number 0, those of nodes, the nodes' rows,
    /// the slices' rows. What deals or claims slices takes number 0, so that two burials at once
    /// never deal slices to one another's dead.
    static let nodeFunctions = """
      CREATE FUNCTION proscenium.join_1(
        named text, at_address text, linked_at text, with_fingerprint bytea, of_build integer
      ) RETURNS TABLE(node integer, run bigint) LANGUAGE sql \(asOwner) AS $$
        INSERT INTO node(name, address, link_address, fingerprint, build)
          VALUES (named, at_address, linked_at, with_fingerprint, of_build)
          RETURNING node.node, node.run
      $$;

      CREATE FUNCTION proscenium.beat_1(me integer, my_run bigint)
        RETURNS TABLE(map bigint, fence integer) LANGUAGE sql \(asOwner) AS $$
        UPDATE node SET beat = beat + 1, beat_at = clock_timestamp()
          WHERE node = me AND run = my_run AND state <> 'x'
          RETURNING (SELECT cluster.map FROM cluster), node.fence
      $$;

      CREATE FUNCTION proscenium.end_connections(of_node integer, line text) RETURNS void
        LANGUAGE sql \(asOwner) AS $$
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name LIKE 'proscenium ' || of_node || ' ' || line
            AND datname = current_database() AND pid <> pg_backend_pid()
      $$;

      -- What a connection that broke may still do comes to nothing: it sees another fence.
      -- Gives nothing to a node that was buried, or that the database has forgotten.
      CREATE FUNCTION proscenium.refence_1(me integer, my_run bigint, line text) RETURNS integer
        LANGUAGE plpgsql \(asOwner) AS $$
      DECLARE new_fence integer;
      BEGIN
        PERFORM FROM node WHERE node = me AND run = my_run;
        IF NOT FOUND THEN RETURN NULL; END IF;
        PERFORM end_connections(me, line);
        PERFORM pg_advisory_xact_lock(\(lockKey), me);
        UPDATE node SET fence = fence + 1 WHERE node = me AND state <> 'x'
          RETURNING fence INTO new_fence;
        RETURN new_fence;
      END $$;

      CREATE FUNCTION proscenium.fence_1(me integer) RETURNS integer
        LANGUAGE sql STABLE \(asOwner) AS
        'SELECT fence FROM node WHERE node = me AND state <> ''x''';

      CREATE FUNCTION proscenium.claim_all_1(me integer)
        RETURNS TABLE(fence integer, epoch integer, restoring boolean)
        LANGUAGE plpgsql \(asOwner) AS $$
      #variable_conflict use_column
      DECLARE next_epoch integer; new_fence integer; was_restoring boolean;
      BEGIN
        PERFORM pg_advisory_xact_lock(\(lockKey), 0);
        PERFORM FROM node n WHERE n.node <> me AND n.state <> 'x' AND (n.node < me
          OR EXISTS (SELECT FROM slice s WHERE s.owner = n.node));
        IF FOUND THEN RETURN; END IF;
        PERFORM pg_advisory_xact_lock(\(lockKey), me);
        UPDATE node n SET fence = n.fence + 1 WHERE n.node = me AND n.state <> 'x'
          RETURNING n.fence INTO new_fence;
        IF NOT FOUND THEN RETURN; END IF;
        SELECT max(s.epoch) + 1, bool_or(s.restoring) INTO next_epoch, was_restoring FROM slice s;
        -- A store of one process parks nothing.
        UPDATE slice SET owner = me, epoch = next_epoch, mark = \(newMark), deaths = 0,
          handed_over = false;
        UPDATE cluster SET map = \(nextMap);
        RETURN QUERY SELECT new_fence, next_epoch, was_restoring;
      END $$;

      CREATE FUNCTION proscenium.claim_1(me integer, at_most integer) RETURNS integer
        LANGUAGE plpgsql \(asOwner) AS $$
      DECLARE claimed integer;
      BEGIN
        PERFORM pg_advisory_xact_lock(\(lockKey), 0);
        -- One that gives its slices away serves the rest if there is no other one.
        PERFORM FROM node WHERE node = me AND (state = 'l'
          OR state = 'd' AND NOT EXISTS (SELECT FROM node other WHERE other.state = 'l'));
        IF NOT FOUND THEN RETURN 0; END IF;
        UPDATE slice SET owner = me, epoch = epoch + 1, mark = \(newMark), handed_over = false
          WHERE slice IN (
            SELECT free.slice FROM slice free WHERE free.owner IS NULL
              ORDER BY free.slice LIMIT at_most);
        GET DIAGNOSTICS claimed = ROW_COUNT;
        IF claimed = 0 THEN RETURN 0; END IF;
        UPDATE cluster SET map = \(nextMap);
        NOTIFY proscenium;
        RETURN claimed;
      END $$;

      CREATE FUNCTION proscenium.hand_over_1(
        me integer, my_run bigint, leaving smallint[], receiver integer
      ) RETURNS boolean LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(\(lockKey), me);
        -- A burial of the receiver waits for this.
        PERFORM FROM node WHERE node = receiver AND state = 'l' FOR SHARE;
        IF NOT FOUND THEN RETURN false; END IF;
        PERFORM FROM slice WHERE slice = ANY (leaving) AND owner = me
          HAVING count(*) = cardinality(leaving);
        IF NOT FOUND THEN RETURN false; END IF;
        UPDATE node SET fence = fence + 1
          WHERE node = me AND run = my_run AND state <> 'x';
        IF NOT FOUND THEN RETURN false; END IF;
        UPDATE slice SET owner = receiver, epoch = epoch + 1, mark = \(newMark),
            handed_over = true
          WHERE slice = ANY (leaving);
        UPDATE cluster SET map = \(nextMap);
        NOTIFY proscenium;
        RETURN true;
      END $$;

      -- Gives whether a node lives by that number.
      CREATE FUNCTION proscenium.drain_1(of_node integer) RETURNS boolean
        LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        UPDATE node SET state = 'd' WHERE node = of_node AND state <> 'x';
        IF NOT FOUND THEN RETURN false; END IF;
        NOTIFY proscenium;
        RETURN true;
      END $$;

      CREATE FUNCTION proscenium.calm_1(me integer, slices smallint[]) RETURNS void
        LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        UPDATE slice SET deaths = 0 WHERE slice = ANY (slices) AND owner = me AND deaths > 0;
        IF FOUND THEN UPDATE cluster SET map = \(nextMap); END IF;
      END $$;

      -- Gives how many owners had died; nothing if there is no such slice.
      CREATE FUNCTION proscenium.release_1(of_slice integer) RETURNS smallint
        LANGUAGE plpgsql \(asOwner) AS $$
      DECLARE had_deaths smallint;
      BEGIN
        SELECT deaths INTO had_deaths FROM slice WHERE slice = of_slice FOR UPDATE;
        IF had_deaths > 0 THEN
          UPDATE slice SET deaths = 0 WHERE slice = of_slice;
          UPDATE cluster SET map = \(nextMap);
          NOTIFY proscenium;
        END IF;
        RETURN had_deaths;
      END $$;

      -- The heirs are known to live: others may have died with the victim.
      CREATE FUNCTION proscenium.bury_1(
        victim integer, seen bigint, heirs bigint[]
      ) RETURNS boolean LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        PERFORM FROM node WHERE node = victim AND beat = seen AND state <> 'x';
        IF NOT FOUND THEN RETURN false; END IF;
        -- One that was stopped within a statement holds its lock for as long as it likes.
        PERFORM end_connections(victim, '%');
        PERFORM pg_advisory_xact_lock(\(lockKey), 0);
        PERFORM pg_advisory_xact_lock(\(lockKey), victim);
        UPDATE node SET state = 'x', fence = fence + 1
          WHERE node = victim AND beat = seen AND state <> 'x';
        IF NOT FOUND THEN RETURN false; END IF;
        WITH keeping AS (
            SELECT count(*) > 0 AS has_some FROM node WHERE state = 'l' AND node = ANY (heirs)),
          living AS (
            SELECT n.node,
                row_number() OVER (ORDER BY n.build DESC, count(s.slice), n.node) - 1 AS seat,
                count(*) OVER () AS seats
              FROM node n LEFT JOIN slice s ON s.owner = n.node
              WHERE n.node = ANY (heirs)
                AND (n.state = 'l' OR n.state = 'd' AND NOT (SELECT has_some FROM keeping))
              GROUP BY n.node),
          lost AS (
            SELECT slice, row_number() OVER (ORDER BY slice) - 1 AS turn
              FROM slice WHERE owner = victim)
          UPDATE slice s SET owner = living.node, epoch = s.epoch + 1, mark = \(newMark),
              deaths = s.deaths + 1, handed_over = false
            FROM lost, living
            WHERE s.slice = lost.slice AND lost.turn % living.seats = living.seat;
        -- If none lives, since two have buried one another, the next one claims them.
        UPDATE slice SET owner = NULL, deaths = deaths + 1 WHERE owner = victim;
        UPDATE cluster SET map = \(nextMap);
        NOTIFY proscenium;
        RETURN true;
      END $$;

      CREATE FUNCTION proscenium.leave_1(me integer, my_run bigint) RETURNS void
        LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        PERFORM FROM node WHERE node = me AND run = my_run;
        IF NOT FOUND THEN RETURN; END IF;
        PERFORM pg_advisory_xact_lock(\(lockKey), 0);
        PERFORM pg_advisory_xact_lock(\(lockKey), me);
        UPDATE slice SET owner = NULL WHERE owner = me;
        IF FOUND THEN
          UPDATE cluster SET map = \(nextMap);
          NOTIFY proscenium;
        END IF;
        DELETE FROM node WHERE node = me;
        -- Nodes that died and own nothing any more have nothing left to say.
        DELETE FROM node n WHERE state = 'x'
          AND NOT EXISTS (SELECT FROM slice s WHERE s.owner = n.node);
      END $$;

      """
  }
#endif
