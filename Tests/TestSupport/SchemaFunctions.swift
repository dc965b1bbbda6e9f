/// What the pool of schemas does in the database.
enum SchemaFunctions {
    /// `remember` keeps what a schema looks like, the rows that are in it and where its sequences stand. `empty` brings the rows and
    /// the sequences back, and answers false when the schema looks different.
    static let script = """
        CREATE TABLE looks (schema text PRIMARY KEY, look text);
        CREATE TABLE seeds (schema text, relation regclass PRIMARY KEY, rows jsonb);
        CREATE TABLE sequences (schema text, sequence regclass PRIMARY KEY, value bigint, is_called boolean);
        CREATE INDEX ON seeds (schema);
        CREATE INDEX ON sequences (schema);

        CREATE FUNCTION look(schema text) RETURNS text LANGUAGE sql STABLE AS $$
            SELECT md5(concat(
                (SELECT string_agg(concat(c.oid, a.attname, a.atttypid, a.attnotnull, a.atthasdef), ',' ORDER BY c.oid, a.attnum)
                    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                    WHERE c.relnamespace = to_regnamespace($1) AND NOT a.attisdropped),
                (SELECT string_agg(concat(oid, conname), ',' ORDER BY oid) FROM pg_constraint
                    WHERE connamespace = to_regnamespace($1)),
                (SELECT string_agg(concat(t.oid, tgenabled), ',' ORDER BY t.oid)
                    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE c.relnamespace = to_regnamespace($1)),
                (SELECT string_agg(concat(oid, md5(prosrc)), ',' ORDER BY oid) FROM pg_proc
                    WHERE pronamespace = to_regnamespace($1))))
        $$;

        CREATE FUNCTION remember(schema text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            place record;
            value bigint;
            is_called boolean;
        BEGIN
            INSERT INTO looks VALUES ($1, look($1));
            FOR place IN SELECT oid::regclass AS name, relkind FROM pg_class
                WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'S') AND relname <> 'schema_migrations'
            LOOP
                IF place.relkind = 'S' THEN
                    EXECUTE format('SELECT last_value, is_called FROM %s', place.name) INTO value, is_called;
                    INSERT INTO sequences VALUES ($1, place.name, value, is_called);
                ELSIF pg_relation_size(place.name) > 0 THEN
                    EXECUTE format('INSERT INTO seeds SELECT $1, $2, jsonb_agg(t) FROM %s t', place.name) USING $1, place.name;
                END IF;
            END LOOP;
        END $$;

        CREATE FUNCTION empty(schema text) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            place record;
        BEGIN
            IF look($1) IS DISTINCT FROM (SELECT l.look FROM looks l WHERE l.schema = $1) THEN
                RETURN false;
            END IF;
            -- Neither foreign keys nor triggers have a say.
            SET LOCAL session_replication_role = replica;
            FOR place IN SELECT oid::regclass AS name, pg_relation_size(oid) AS size FROM pg_class
                WHERE relnamespace = to_regnamespace($1) AND relkind = 'r' AND relname <> 'schema_migrations'
                    AND pg_relation_size(oid) > 0
            LOOP
                -- Many dead rows would slow whoever comes next.
                EXECUTE format(CASE WHEN place.size > 1000000 THEN 'TRUNCATE %s CASCADE' ELSE 'DELETE FROM %s' END, place.name);
            END LOOP;
            FOR place IN SELECT relation, rows FROM seeds s WHERE s.schema = $1 LOOP
                EXECUTE format('INSERT INTO %1$s OVERRIDING SYSTEM VALUE '
                    'SELECT * FROM jsonb_populate_recordset(NULL::%1$s, $1)', place.relation) USING place.rows;
            END LOOP;
            PERFORM setval(s.sequence, s.value, s.is_called) FROM sequences s WHERE s.schema = $1;
            RETURN true;
        END $$;
        """
}
