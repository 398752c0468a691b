// SPDX-License-Identifier: Apache-2.0

#if Cluster
  extension PostgresSchema {
    /// Functions that read.
    static let readingFunctions = """
      CREATE FUNCTION proscenium.cluster_1() RETURNS TABLE(
          map bigint, running_time bigint, key_check bytea, next_key_check bytea
        ) LANGUAGE sql STABLE \(asOwner) AS
        'SELECT map, running_time, key_check, next_key_check FROM cluster';

      CREATE FUNCTION proscenium.nodes_1() RETURNS TABLE(
          node integer, name text, address text, build integer, state text, beat bigint,
          slices integer, link_address text, fingerprint bytea
        ) LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT n.node, n.name, n.address, n.build, n.state::text, n.beat,
            count(s.slice)::integer, n.link_address, n.fingerprint
          FROM node n LEFT JOIN slice s ON s.owner = n.node GROUP BY n.node ORDER BY n.node
      $$;

      CREATE FUNCTION proscenium.map_1(me integer, my_run bigint) RETURNS TABLE(
          map bigint, fence integer, owner integer, epoch integer, deaths smallint,
          handed_over boolean, mark bigint
        ) LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT cluster.map, node.fence, s.owner, s.epoch, s.deaths, s.handed_over, s.mark
          FROM cluster, node, slice s WHERE node.node = me AND node.run = my_run
            AND node.state <> 'x'
          ORDER BY s.slice
      $$;

      CREATE FUNCTION proscenium.slice_rows_1(slices smallint[]) RETURNS TABLE(
          id uuid, configuration smallint, ends_with smallint, discarded boolean,
          has_state boolean, last_activated bigint, next_wake bigint, last_used bigint,
          group_name text, owner text, can_activate text, prefers text, title text, subtitle text,
          has_key boolean
        ) LANGUAGE plpgsql STABLE \(asOwner) SET enable_seqscan = off SET jit = off AS $$
      #variable_conflict use_column
      DECLARE slice integer; width integer; first integer;
      BEGIN
        SELECT 1 << (16 - slice_bits) INTO width FROM cluster;
        -- One after the other: each is a range of the key.
        FOREACH slice IN ARRAY slices LOOP
          first := slice * width;
          IF first > 32767 THEN first := first - 65536; END IF;
          RETURN QUERY SELECT r.id, r.configuration, r.ends_with, r.discarded, r.has_state,
              r.last_activated, r.next_wake, r.last_used, r.group_name, r.owner, r.can_activate,
              r.prefers, r.title, r.subtitle, r.key IS NOT NULL
            FROM session r
            WHERE r.place BETWEEN first::smallint AND (first + width - 1)::smallint;
        END LOOP;
      END $$;

      CREATE FUNCTION proscenium.configurations_1() RETURNS SETOF proscenium.configuration
        LANGUAGE sql STABLE \(asOwner) AS 'SELECT * FROM configuration ORDER BY number';

      CREATE FUNCTION proscenium.rows_1(
          first_place smallint, last_place smallint, after_place smallint, after_id uuid,
          row_limit integer, is_first boolean
        ) RETURNS TABLE(
          id uuid, configuration smallint, ends_with smallint, discarded boolean,
          has_state boolean, last_activated bigint, next_wake bigint, last_used bigint,
          group_name text, owner text, can_activate text, prefers text, title text, subtitle text,
          has_key boolean
        ) LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT id, configuration, ends_with, discarded, has_state, last_activated, next_wake,
            last_used, group_name, owner, can_activate, prefers, title, subtitle, key IS NOT NULL
          FROM session
          WHERE place >= first_place AND place <= last_place
            AND (place, id) >= (after_place, after_id)
            AND (is_first OR id <> after_id)
          ORDER BY place, id LIMIT row_limit
      $$;

      CREATE FUNCTION proscenium.states_1(places smallint[], ids uuid[], byte_limit bigint)
        RETURNS TABLE(
          id uuid, is_left_out boolean, has_state boolean, key bytea, version bigint, sealed bytea
        ) LANGUAGE sql STABLE \(asOwner) AS $$
        WITH wanted AS MATERIALIZED (
          SELECT w.place, w.id, w.turn > 1 AND coalesce(sum(octet_length(s.sealed))
              OVER (ORDER BY w.turn), 0) > byte_limit AS is_left_out
            FROM unnest(places, ids) WITH ORDINALITY AS w(place, id, turn)
              LEFT JOIN state s ON s.place = w.place AND s.id = w.id)
        SELECT r.id, w.is_left_out, r.has_state, r.key, s.version,
            CASE WHEN w.is_left_out THEN NULL ELSE s.sealed END
          FROM wanted w
            JOIN session r ON r.place = w.place AND r.id = w.id
            LEFT JOIN state s ON s.place = w.place AND s.id = w.id
      $$;

      CREATE FUNCTION proscenium.keys_1(
          after_place smallint, after_id uuid, row_limit integer, is_first boolean
        ) RETURNS TABLE(id uuid, key bytea) LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT id, key FROM session
          WHERE (place, id) >= (after_place, after_id) AND (is_first OR id <> after_id)
            AND key IS NOT NULL
          ORDER BY place, id LIMIT row_limit
      $$;

      CREATE FUNCTION proscenium.sizes_1(places smallint[], ids uuid[])
        RETURNS TABLE(id uuid, version bigint, size integer) LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT s.id, s.version, octet_length(s.sealed)
          FROM unnest(places, ids) AS w(place, id)
            JOIN state s ON s.place = w.place AND s.id = w.id
      $$;

      CREATE FUNCTION proscenium.totals_1() RETURNS TABLE(
          sessions bigint, discarded bigint, epoch integer, nodes bigint, bytes bigint
        ) LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT (SELECT count(*) FROM session), (SELECT count(*) FROM session WHERE discarded),
          (SELECT max(epoch) FROM slice), (SELECT count(*) FROM node WHERE state <> 'x'),
          pg_total_relation_size('session') + pg_total_relation_size('state')
      $$;

      -- For people: times are by the server's clock, which decides nothing.
      CREATE FUNCTION proscenium.node_status_1() RETURNS TABLE(
          node integer, name text, address text, build integer, state text,
          milliseconds_since_beat bigint, joined text
        ) LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT node, name, address, build, state::text,
            (extract(epoch FROM clock_timestamp() - coalesce(beat_at, joined_at)) * 1000)::bigint,
            to_char(joined_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
          FROM node ORDER BY node
      $$;

      CREATE FUNCTION proscenium.slice_status_1() RETURNS TABLE(
          slice smallint, owner integer, deaths smallint, epoch integer
        ) LANGUAGE sql STABLE \(asOwner) AS
        'SELECT slice, owner, deaths, epoch FROM slice ORDER BY slice';

      CREATE FUNCTION proscenium.problems_1() RETURNS TABLE(problem text)
        LANGUAGE sql STABLE \(asOwner) AS $$
        SELECT 'there are ' || count(*) || ' saved states of sessions that are not there.'
          FROM state s WHERE NOT EXISTS (
            SELECT FROM session r WHERE r.place = s.place AND r.id = s.id)
          HAVING count(*) > 0
        UNION ALL
        SELECT 'there are ' || count(*) || ' sessions that are not in their place.'
          FROM session WHERE place <> ('x' || substr(id::text, 1, 4))::bit(16)::integer
              - CASE WHEN id::text >= '8' THEN 65536 ELSE 0 END
          HAVING count(*) > 0
        UNION ALL
        SELECT 'there are ' || count(*) || ' slices, and not as many as there were.'
          FROM slice HAVING count(*) <> (SELECT 1 << slice_bits FROM cluster)
      $$;

      REVOKE ALL ON ALL FUNCTIONS IN SCHEMA proscenium FROM PUBLIC;

      """
  }
#endif
