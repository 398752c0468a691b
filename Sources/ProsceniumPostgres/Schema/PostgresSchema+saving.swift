// SPDX-License-Identifier: Apache-2.0

#if Cluster
  extension PostgresSchema {
    /// Functions that write sessions.
    ///
    /// The one invariant: what takes a slice from a node raises the node's fence in the same
    /// transaction, holding the node's advisory lock alone; what writes a session holds the lock
    /// shared, and has read the fence since the lock was granted. Each statement of a volatile
    /// function sees what was committed before it, so that the look comes after the lock.
    static let savingFunctions = """
      CREATE FUNCTION proscenium.format() RETURNS smallint LANGUAGE sql STABLE \(asOwner) AS
        'SELECT format FROM cluster';

      CREATE FUNCTION proscenium.save_1(
        gone_places smallint[], gone uuid[],
        row_places smallint[], rows uuid[], are_new boolean[], configurations smallint[],
        ends smallint[], activated bigint[], wakes bigint[], used bigint[], groups text[],
        owners text[], can text[], prefer text[], titles text[], subtitles text[],
        active_places smallint[], active uuid[], counters bigint[],
        key_places smallint[], keyed uuid[], keys bytea[],
        state_places smallint[], states uuid[], versions bigint[], records bytea[],
        me integer, known integer
      ) RETURNS boolean LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(\(lockKey), me);
        PERFORM FROM node WHERE node = me AND fence = known AND state <> 'x';
        IF NOT FOUND THEN RETURN false; END IF;
        IF cardinality(gone) > 0 THEN
          DELETE FROM state s USING unnest(gone_places, gone) AS g(place, id)
            WHERE s.place = g.place AND s.id = g.id;
          DELETE FROM session s USING unnest(gone_places, gone) AS g(place, id)
            WHERE s.place = g.place AND s.id = g.id;
        END IF;
        IF cardinality(rows) > 0 THEN
          UPDATE session s SET configuration = w.configuration, ends_with = w.ends_with,
              next_wake = w.next_wake, last_used = w.last_used, group_name = w.group_name,
              owner = w.owner, can_activate = w.can_activate, prefers = w.prefers,
              title = w.title, subtitle = w.subtitle
            FROM unnest(row_places, rows, are_new, configurations, ends, wakes, used, groups,
                owners, can, prefer, titles, subtitles)
              AS w(place, id, is_new, configuration, ends_with, next_wake, last_used, group_name,
                owner, can_activate, prefers, title, subtitle)
            WHERE NOT w.is_new AND s.place = w.place AND s.id = w.id;
          INSERT INTO session AS s (place, id, configuration, ends_with, last_activated, next_wake,
              last_used, group_name, owner, can_activate, prefers, title, subtitle)
            SELECT w.place, w.id, w.configuration, w.ends_with, w.last_activated, w.next_wake,
                w.last_used, w.group_name, w.owner, w.can_activate, w.prefers, w.title, w.subtitle
              FROM unnest(row_places, rows, are_new, configurations, ends, activated, wakes, used,
                  groups, owners, can, prefer, titles, subtitles)
                AS w(place, id, is_new, configuration, ends_with, last_activated, next_wake,
                  last_used, group_name, owner, can_activate, prefers, title, subtitle)
              WHERE w.is_new
            ON CONFLICT (place, id) DO UPDATE SET configuration = excluded.configuration,
              ends_with = excluded.ends_with, discarded = false, has_state = false,
              last_activated = excluded.last_activated, next_wake = excluded.next_wake,
              last_used = excluded.last_used, group_name = excluded.group_name,
              owner = excluded.owner, can_activate = excluded.can_activate,
              prefers = excluded.prefers, title = excluded.title, subtitle = excluded.subtitle;
          INSERT INTO state AS s (place, id, version)
            SELECT w.place, w.id, 0
              FROM unnest(row_places, rows, are_new) AS w(place, id, is_new) WHERE w.is_new
            ON CONFLICT (place, id) DO UPDATE SET version = 0, sealed = NULL;
        END IF;
        IF cardinality(active) > 0 THEN
          UPDATE session s SET last_activated = w.counter
            FROM unnest(active_places, active, counters) AS w(place, id, counter)
            WHERE s.place = w.place AND s.id = w.id;
        END IF;
        IF cardinality(keyed) > 0 THEN
          UPDATE session s SET key = w.key, has_state = true
            FROM unnest(key_places, keyed, keys) AS w(place, id, key)
            WHERE s.place = w.place AND s.id = w.id;
        END IF;
        IF cardinality(states) > 0 THEN
          UPDATE state s SET version = w.version, sealed = w.sealed
            FROM unnest(state_places, states, versions, records) AS w(place, id, version, sealed)
            WHERE s.place = w.place AND s.id = w.id AND s.version < w.version;
        END IF;
        RETURN true;
      END $$;

      CREATE FUNCTION proscenium.configuration_1(
        of_role text, named text, of_delegate text, of_scene text, of_revision text
      ) RETURNS smallint LANGUAGE plpgsql \(asOwner) AS $$
      DECLARE found_number smallint;
      BEGIN
        PERFORM pg_advisory_xact_lock(\(lockKey), -2);
        SELECT number INTO found_number FROM configuration
          WHERE role = of_role AND name IS NOT DISTINCT FROM named
            AND delegate_class IS NOT DISTINCT FROM of_delegate
            AND scene_class IS NOT DISTINCT FROM of_scene
            AND manifest_revision IS NOT DISTINCT FROM of_revision;
        IF FOUND THEN RETURN found_number; END IF;
        INSERT INTO configuration
          SELECT coalesce(max(number), 0) + 1, of_role, named, of_delegate, of_scene, of_revision
            FROM configuration
          RETURNING number INTO found_number;
        RETURN found_number;
      END $$;

      CREATE FUNCTION proscenium.discard_1(gone_places smallint[], gone uuid[]) RETURNS boolean
        LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        -- A claim waits for this, or has an owner that is seen here.
        PERFORM FROM slice WHERE slice IN (
            SELECT (place & 65535) >> (16 - slice_bits) FROM unnest(gone_places) AS place, cluster)
          ORDER BY slice FOR SHARE;
        PERFORM FROM slice WHERE owner IS NOT NULL AND slice IN (
            SELECT (place & 65535) >> (16 - slice_bits) FROM unnest(gone_places) AS place, cluster);
        IF FOUND THEN RETURN false; END IF;
        UPDATE session s SET discarded = true, has_state = false, key = NULL
          FROM unnest(gone_places, gone) AS g(place, id) WHERE s.place = g.place AND s.id = g.id;
        UPDATE state s SET version = 0, sealed = NULL
          FROM unnest(gone_places, gone) AS g(place, id) WHERE s.place = g.place AND s.id = g.id;
        RETURN true;
      END $$;

      CREATE FUNCTION proscenium.set_restoring_1(me integer, known integer, is_restoring boolean)
        RETURNS boolean LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(\(lockKey), me);
        PERFORM FROM node WHERE node = me AND fence = known AND state <> 'x';
        IF NOT FOUND THEN RETURN false; END IF;
        UPDATE slice SET restoring = is_restoring
          WHERE owner = me AND restoring <> is_restoring;
        RETURN true;
      END $$;

      CREATE FUNCTION proscenium.set_running_time_1(me integer, known integer, milliseconds bigint)
        RETURNS boolean LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(\(lockKey), me);
        PERFORM FROM node WHERE node = me AND fence = known AND state <> 'x';
        IF NOT FOUND THEN RETURN false; END IF;
        UPDATE cluster SET running_time = milliseconds WHERE running_time < milliseconds;
        RETURN true;
      END $$;

      CREATE FUNCTION proscenium.set_key_checks_1(
        expected bytea, expected_next bytea, new_check bytea, new_next bytea
      ) RETURNS boolean LANGUAGE plpgsql \(asOwner) AS $$
      BEGIN
        UPDATE cluster SET key_check = new_check, next_key_check = new_next
          WHERE key_check IS NOT DISTINCT FROM expected
            AND next_key_check IS NOT DISTINCT FROM expected_next;
        RETURN FOUND;
      END $$;

      CREATE FUNCTION proscenium.rekey_1(
        places smallint[], ids uuid[], old_keys bytea[], new_keys bytea[]
      ) RETURNS void LANGUAGE sql \(asOwner) AS $$
        UPDATE session s SET key = w.new_key
          FROM unnest(places, ids, old_keys, new_keys) AS w(place, id, old_key, new_key)
          WHERE s.place = w.place AND s.id = w.id AND s.key = w.old_key
      $$;

      """
  }
#endif
