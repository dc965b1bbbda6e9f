import Postgres
package import StackKit

/// The role of the source by which the target copies: it reads the published tables and nothing else. It has a password of its
/// own and ends with the move, so that the target never has the administrator's.
package struct MoveRole: Sendable {
    let name: String
    private let password: String

    /// - Parameter connection: A URL that `url` has made.
    init(_ connection: ServerURL) {
        name = connection.user
        password = connection.plainPassword ?? ""
    }

    /// The source's URL for the role that copies a service's schema.
    ///
    /// - Parameters:
    ///   - password: Of letters and digits.
    ///   - source: Its address as the target reaches it.
    package static func url(of service: String, password: String, at source: ServerURL) -> ServerURL {
        source.of(role: MoveNames(service: service).own, password: password)
    }

    /// Creates the role, or gives it its password again.
    func create(in here: PostgresClient) async throws {
        try await here.execute(
            SQL(
                text: """
                    DO $do$ BEGIN
                    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = \(SQL.quoted(name))) THEN CREATE ROLE \(name); END IF;
                    ALTER ROLE \(name) LOGIN REPLICATION PASSWORD \(SQL.quoted(password));
                    EXECUTE format('GRANT CONNECT ON DATABASE %I TO \(name)', current_database());
                    END $do$
                    """
            )
        )
    }

    /// Lets the role read the tables of a publication.
    func grantTables(of publication: String, in here: PostgresClient) async throws {
        try await here.execute(
            SQL(
                text: """
                    DO $do$
                    DECLARE
                        name text;
                    BEGIN
                        FOR name IN SELECT format('%I', schemaname) FROM pg_publication_tables
                            WHERE pubname = \(SQL.quoted(publication)) GROUP BY 1 LOOP
                            EXECUTE format('GRANT USAGE ON SCHEMA %s TO \(self.name)', name);
                        END LOOP;
                        FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_publication_tables
                            WHERE pubname = \(SQL.quoted(publication)) LOOP
                            EXECUTE format('GRANT SELECT ON %s TO \(self.name)', name);
                        END LOOP;
                    END $do$
                    """
            )
        )
    }

    /// Removes the role with its sessions and rights; no effect if there is none.
    func drop(in here: PostgresClient) async throws {
        try await here.execute(
            SQL(
                text: """
                    DO $do$ BEGIN
                    IF EXISTS (SELECT FROM pg_roles WHERE rolname = \(SQL.quoted(name))) THEN
                        ALTER ROLE \(name) NOLOGIN;
                        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = \(SQL.quoted(name));
                        DROP OWNED BY \(name);
                        DROP ROLE \(name);
                    END IF;
                    END $do$
                    """
            )
        )
    }
}
