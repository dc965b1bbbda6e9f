import Postgres
import PostgresServer
import StackKit

/// The devices of the recipients in chat's rooms, and of other accounts with a backlog of pushes.
enum PushDataset {
    /// The number of recipients of synthetic events, with one device each.
    static let people = 20_000

    /// The owner of a device, by its number from 1.
    static func account(_ number: Int) -> Int64 { Int64(10_000_000 + number) }

    static func build(_ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            // The recipients in chat's rooms have odd ids.
            try await phones(database, accounts: "SELECT -2 * n - 1 FROM generate_series(1, \(ChatDataset.rooms)) n")
            try await phones(database, accounts: "SELECT 10000000 + n FROM generate_series(1, \(people)) n")
            try await database.execute(
                """
                INSERT INTO notifications.people (account_id, app, public_id, nickname)
                SELECT account_id, app, public_id, nickname FROM chat.people
                """
            )
        }
        try await analyze(server)
    }

    /// Creates devices with one push each that has been due for five minutes.
    static func createBacklog(_ count: Int, _ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            try await phones(database, accounts: "SELECT 20000000 + n FROM generate_series(1, \(count)) n")
            try await database.execute(
                """
                INSERT INTO notifications.pushes (device_id, kind, title, body, data, due_at, created_at)
                SELECT id, 'ANNOUNCEMENT', '공지', '많은 사람에게', '{}', now() - interval '5 minutes', now()
                FROM notifications.devices WHERE account_id > 20000000
                """
            )
            try await database.execute(
                """
                UPDATE notifications.mailboxes SET due_at = now() - interval '5 minutes'
                WHERE device_id IN (SELECT id FROM notifications.devices WHERE account_id > 20000000)
                """
            )
        }
        try await analyze(server)
    }

    private static func phones(_ database: PostgresClient, accounts: SQL) async throws {
        try await database.execute(
            """
            WITH phones AS (
                INSERT INTO notifications.devices (app, account_id, session_id, token, digest, since)
                SELECT 'anlaka', a, 's' || a, 'token-' || a, sha256(convert_to('token-' || a, 'UTF8')), now()
                FROM (\(accounts)) AS accounts(a)
                RETURNING id, app
            )
            INSERT INTO notifications.mailboxes (device_id, app) SELECT id, app FROM phones
            """
        )
    }

    private static func analyze(_ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            for table in ["devices", "mailboxes", "pushes", "people"] {
                try await database.execute("VACUUM ANALYZE notifications.\(identifier: table)")
            }
        }
    }
}
