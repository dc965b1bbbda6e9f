import Postgres
import PostgresServer
import TestKit
import Testing

@testable import Moves
@testable import StackKit

/// What is in the way of a move is said in one sentence before anything has changed.
@Suite(.timeLimit(.minutes(5))) struct MoveRefusalTests {
    @Test func schemasThatCannotBeCopied_areRefused() async throws {
        try await MoveServers.run { servers in
            try await servers.run("CREATE TABLE rooms (id bigint PRIMARY KEY, name text)", as: "chat")
            let cases = [
                (
                    "CREATE TABLE notes (note text)", "DROP TABLE notes",
                    "the table chat.notes has no primary key, by which a move identifies rows"
                ),
                (
                    """
                    CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
                    CREATE TRIGGER always BEFORE INSERT ON rooms FOR EACH ROW EXECUTE FUNCTION later();
                    ALTER TABLE rooms ENABLE ALWAYS TRIGGER always
                    """, "DROP TRIGGER always ON rooms",
                    "the trigger always of chat.rooms fires on the copy, too; a move cannot copy that, so remove it from chat first"
                ),
                (
                    "CREATE MATERIALIZED VIEW names AS SELECT name FROM rooms", "DROP MATERIALIZED VIEW names",
                    "chat.names is a materialized view; a move cannot copy that, so remove it from chat first"
                ),
                (
                    "SELECT lo_create(4711)", "SELECT lo_unlink(4711)",
                    "the role chat has large objects; a move cannot copy that, so remove it from chat first"
                ),
            ]
            let before = try await Self.objects(servers)
            for (create, drop, sentence) in cases {
                try await servers.run(create, as: "chat")
                #expect(await Self.refusal(servers) == sentence)
                try await servers.run(drop, as: "chat")
            }
            try await servers.run("DROP FUNCTION later()", as: "chat")
            #expect(await Self.refusal(servers) == nil)
            #expect(try await Self.objects(servers) == before)
        }
    }

    @Test func targetsThatAreUsedOtherwise_areRefused() async throws {
        try await MoveServers.run { servers in
            try await servers.run("CREATE TABLE rooms (id bigint PRIMARY KEY)", as: "chat")
            let place = try ServerURL(servers.target.adminURL()).place
            let postgres = try ServerURL(servers.target.adminURL())
            func onTarget(_ statement: String, _ database: String = "postgres") async throws {
                try await servers.programs.psql(statement, on: postgres.of(database: database))
            }
            try await onTarget("CREATE ROLE chat")
            try await onTarget("CREATE DATABASE shop")
            try await onTarget("CREATE SCHEMA chat AUTHORIZATION chat", "shop")
            #expect(await Self.refusal(servers) == "the role chat of \(place) is that of another database, shop")
            try await onTarget("DROP DATABASE shop")
            try await onTarget("CREATE DATABASE madang")
            try await onTarget("CREATE EXTENSION postgis", "madang")
            #expect(
                await Self.refusal(servers)
                    == "PostGIS of \(place) is in the schema public of madang, and Madang's services have it in postgis; "
                    + "name another database in the URL"
            )
            try await onTarget("DROP DATABASE madang")

            let record = try servers.record("chat")
            let urls = try [ServerURL(record.target.administrator)]
            try await MoveLock("chat", on: urls).hold {
                let second = await #expect(throws: StackError.self) { try await MoveLock("chat", on: urls).hold {} }
                #expect(second?.description == "another command moves chat from or to \(place)")
            }
            try await MoveLock("chat", on: urls).hold {}
            #expect(await Self.refusal(servers) == nil)
        }
    }

    private static func refusal(_ servers: MoveServers) async -> String? {
        do {
            try await servers.check(servers.record("chat")).run()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static func objects(_ servers: MoveServers) async throws -> [String] {
        try await servers.onSource { here in
            try await here.all(
                """
                SELECT relname::text FROM pg_class WHERE relnamespace = 'chat'::regnamespace
                UNION ALL SELECT rolname::text FROM pg_roles UNION ALL SELECT pubname::text FROM pg_publication
                UNION ALL SELECT slot_name::text FROM pg_replication_slots UNION ALL SELECT nspname::text FROM pg_namespace
                ORDER BY 1
                """
            ) { try $0.decode(String.self) }
        }
    }
}
