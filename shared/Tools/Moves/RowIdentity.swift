import Postgres

/// Indexes by which the target finds a changed row of a table without a primary key (`REPLICA IDENTITY FULL`): PostgreSQL 15
/// reads the whole table for each of them otherwise. They are of the column that a sequence numbers, and end with the move.
struct RowIdentity: Sendable {
    let schema: String

    /// Adds the indexes to tables that have no rows yet.
    func add(to there: PostgresClient) async throws {
        try await there.execute(
            SQL(
                text: """
                    DO $do$
                    DECLARE
                        numbered regclass;
                        number text;
                    BEGIN
                        FOR numbered, number IN
                            SELECT c.oid, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                                JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
                            WHERE c.relnamespace = '\(schema)'::regnamespace AND c.relkind = 'r' AND c.relreplident = 'f'
                                AND a.attnotnull AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'
                        LOOP
                            EXECUTE format('CREATE UNIQUE INDEX move_%s ON %s (%I)', numbered::oid, numbered, number);
                            EXECUTE format('ALTER TABLE %s REPLICA IDENTITY USING INDEX move_%s', numbered, numbered::oid);
                        END LOOP;
                    END $do$
                    """
            )
        )
    }

    func remove(in there: PostgresTransaction) async throws {
        try await there.execute(
            SQL(
                text: """
                    DO $do$
                    DECLARE
                        numbered regclass;
                    BEGIN
                        FOR numbered IN SELECT i.indrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                            WHERE c.relnamespace = '\(schema)'::regnamespace AND i.indisreplident
                                AND c.relname = 'move_' || i.indrelid::text
                        LOOP
                            EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', numbered);
                            EXECUTE format('DROP INDEX \(schema).move_%s', numbered::oid);
                        END LOOP;
                    END $do$
                    """
            )
        )
    }
}
