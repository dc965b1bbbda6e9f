/// What the pool of schemas does in the database.
enum SchemaFunctions {
    /// `remember` keeps what a schema looks like, the rows that are in it and where its sequences stand. `empty` brings the rows and
    /// the sequences back, and answers false when the schema looks different.
    static let script = """
        CREATE TABLE looks (schema text PRIMARY KEY, look text);
        CREATE TABLE tables (schema text, relation regclass, seed jsonb, PRIMARY KEY (schema, relation));
        CREATE TABLE sequences (schema text, sequence regclass, value bigint, is_called boolean, PRIMARY KEY (schema, sequence));

        CREATE FUNCTION look(schema text) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            space oid := to_regnamespace(schema);
            relations oid[] := ARRAY(SELECT relation FROM tables t WHERE t.schema = $1);
        BEGIN
            -- Through indexes: the catalog is full of other tests' schemas.
            RETURN md5(concat(
                (SELECT string_agg(objid::text, ',' ORDER BY classid, objid) FROM pg_depend
                    WHERE refclassid = 'pg_namespace'::regclass AND refobjid = space),
                (SELECT string_agg(concat(attrelid, attname, atttypid, attnotnull, atthasdef), ',' ORDER BY attrelid, attnum)
                    FROM pg_attribute WHERE attrelid = ANY(relations) AND NOT attisdropped),
                (SELECT string_agg(concat(oid, conname), ',' ORDER BY oid) FROM pg_constraint WHERE conrelid = ANY(relations)),
                (SELECT string_agg(concat(oid, tgenabled), ',' ORDER BY oid) FROM pg_trigger WHERE tgrelid = ANY(relations)),
                (SELECT string_agg(indexrelid::text, ',' ORDER BY indexrelid) FROM pg_index WHERE indrelid = ANY(relations)),
                (SELECT string_agg(concat(p.oid, p.xmin), ',' ORDER BY p.oid) FROM pg_depend JOIN pg_proc p ON p.oid = objid
                    WHERE classid = 'pg_proc'::regclass AND refclassid = 'pg_namespace'::regclass AND refobjid = space)));
        END $$;

        CREATE FUNCTION remember(schema text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            place record;
            seed jsonb;
            value bigint;
            is_called boolean;
        BEGIN
            FOR place IN SELECT oid::regclass AS name, relkind FROM pg_class
                WHERE relnamespace = to_regnamespace(schema) AND relkind IN ('r', 'S') AND relname <> 'schema_migrations'
            LOOP
                IF place.relkind = 'S' THEN
                    EXECUTE format('SELECT last_value, is_called FROM %s', place.name) INTO value, is_called;
                    INSERT INTO sequences VALUES ($1, place.name, value, is_called);
                ELSE
                    EXECUTE format('SELECT jsonb_agg(t) FROM %s t', place.name) INTO seed;
                    INSERT INTO tables VALUES ($1, place.name, seed);
                END IF;
            END LOOP;
            INSERT INTO looks VALUES ($1, look($1));
        END $$;

        CREATE FUNCTION empty(schema text) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            used text;
            place record;
        BEGIN
            IF look($1) IS DISTINCT FROM (SELECT l.look FROM looks l WHERE l.schema = $1) THEN
                RETURN false;
            END IF;
            -- Neither foreign keys nor triggers have a say.
            SET LOCAL session_replication_role = replica;
            -- To delete few rows is a hundred times as fast as to truncate, but leaves the pages.
            SELECT string_agg(relation::text, ', ') INTO used FROM tables t
                WHERE t.schema = $1 AND pg_relation_size(relation) > 131072;
            IF used IS NOT NULL THEN EXECUTE format('TRUNCATE %s CASCADE', used); END IF;
            FOR place IN SELECT relation FROM tables t WHERE t.schema = $1 AND pg_relation_size(relation) > 0 LOOP
                EXECUTE format('DELETE FROM %s', place.relation);
            END LOOP;
            -- ANALYZE is forgotten, and with the row of pg_class every session forgets how it has read the table.
            DELETE FROM pg_statistic WHERE starelid IN (SELECT relation FROM tables t WHERE t.schema = $1);
            UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0
                WHERE oid IN (SELECT relation FROM tables t WHERE t.schema = $1)
                    AND (reltuples >= 0 OR pg_relation_size(oid) > 0);
            FOR place IN SELECT relation, seed FROM tables t WHERE t.schema = $1 AND seed IS NOT NULL LOOP
                EXECUTE format('INSERT INTO %1$s OVERRIDING SYSTEM VALUE '
                    'SELECT * FROM jsonb_populate_recordset(NULL::%1$s, $1)', place.relation) USING place.seed;
            END LOOP;
            PERFORM setval(s.sequence, s.value, s.is_called) FROM sequences s WHERE s.schema = $1;
            RETURN true;
        END $$;
        """
}
