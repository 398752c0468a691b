// SPDX-License-Identifier: Apache-2.0

#if Cluster
  extension PostgresSchema {
    /// How many bits of a place name its slice.
    static let sliceBits = 10

    /// The tables.
    ///
    /// A session's place is the first 16 bits of its identifier as a signed number, and its slice
    /// the first bits of these. The rows of a slice lie next to one another. States are apart from
    /// what is in the open, so that a takeover reads the small table alone; they
    /// are sealed, hence not worth being compressed.
    static let tables = """
      CREATE SCHEMA proscenium;
      CREATE TABLE proscenium.cluster(
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        format smallint NOT NULL, slice_bits smallint NOT NULL,
        -- Grows with each change of an owner, by a random step: what the database has forgotten
        -- and what came instead have different numbers.
        map bigint NOT NULL DEFAULT 0,
        running_time bigint NOT NULL DEFAULT 0, -- in milliseconds
        key_check bytea, next_key_check bytea, -- recognise the application keys
        made_at timestamptz NOT NULL DEFAULT now() -- for people
      );
      CREATE TABLE proscenium.node(
        node integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        -- Known to the process alone. A database that has gone back can give a number again.
        run bigint NOT NULL DEFAULT \(newMark),
        name text NOT NULL, address text NOT NULL,
        link_address text NOT NULL, fingerprint bytea NOT NULL, -- empty without links
        build integer NOT NULL, weight smallint NOT NULL DEFAULT 1,
        state "char" NOT NULL DEFAULT 'l', -- l: live, d: draining, x: dead
        fence integer NOT NULL DEFAULT 1, -- grows with each slice that is taken from the node
        beat bigint NOT NULL DEFAULT 0,
        beat_at timestamptz, joined_at timestamptz NOT NULL DEFAULT now() -- for people
      ) WITH (fillfactor = 50);
      CREATE TABLE proscenium.slice(
        slice smallint PRIMARY KEY, owner integer REFERENCES proscenium.node,
        epoch integer NOT NULL DEFAULT 0, -- grows with each change of the owner
        -- Another one with each change of the owner. A database that has gone back can give an
        -- epoch again, to the same node.
        mark bigint NOT NULL DEFAULT 0,
        deaths smallint NOT NULL DEFAULT 0, restoring boolean NOT NULL DEFAULT false,
        handed_over boolean NOT NULL DEFAULT false -- by an owner that has not ended
      ) WITH (fillfactor = 50);
      CREATE INDEX ON proscenium.slice(owner);
      CREATE TABLE proscenium.configuration(
        number smallint PRIMARY KEY, role text NOT NULL, name text, delegate_class text,
        scene_class text, manifest_revision text
      );
      CREATE TABLE proscenium.session(
        place smallint NOT NULL, id uuid NOT NULL, configuration smallint NOT NULL,
        ends_with smallint NOT NULL, -- 1: dismissal by the user, 2: disconnection by the system
        discarded boolean NOT NULL DEFAULT false, -- while no application was running
        has_state boolean NOT NULL DEFAULT false,
        last_activated bigint NOT NULL, -- a counter
        next_wake bigint, -- in milliseconds since 1970
        last_used bigint, -- in milliseconds of running_time
        group_name text, owner text, can_activate text, prefers text, title text, subtitle text,
        key bytea, -- the session's, under the application key
        PRIMARY KEY (place, id)
      ) WITH (fillfactor = 70);
      CREATE TABLE proscenium.state(
        place smallint NOT NULL, id uuid NOT NULL,
        version bigint NOT NULL, -- epoch << 40 | count; 0 for no state
        sealed bytea, PRIMARY KEY (place, id)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
      ALTER TABLE proscenium.state ALTER COLUMN sealed SET STORAGE EXTERNAL;
      INSERT INTO proscenium.cluster(format, slice_bits) VALUES (1, \(sliceBits));
      INSERT INTO proscenium.slice(slice) SELECT generate_series(0, \((1 << sliceBits) - 1));
      CREATE VIEW proscenium.map AS
        SELECT slice, owner AS node, epoch, name, address
        FROM proscenium.slice LEFT JOIN proscenium.node ON node = owner;
      CREATE VIEW proscenium.session_list AS SELECT
        id AS session, role, name AS configuration, group_name, session.owner, title, subtitle,
        coalesce(can_activate, 'TRUEPREDICATE') AS can_activate,
        coalesce(prefers, 'FALSEPREDICATE') AS prefers, ends_with, last_activated, discarded,
        to_timestamp(next_wake / 1000.0) AS next_wake,
        ((SELECT running_time FROM proscenium.cluster) - last_used) / 1000 AS seconds_unused
      FROM proscenium.session LEFT JOIN proscenium.configuration ON number = configuration;

      """

    /// A number that no database that goes back gives again.
    static let newMark = "hashtextextended(gen_random_uuid()::text, 0)"

    /// The number of the map that comes.
    static let nextMap = "map + 1 + (random() * 1048576)::bigint"

    /// How each function begins to run: as the owner of the tables, whose names it finds first.
    static let asOwner = "SECURITY DEFINER SET search_path = proscenium, pg_temp"
  }
#endif
