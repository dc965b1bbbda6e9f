import Contracts
import Logging
import Postgres
import StackKit

/// The ids of rows of tables whose primary key is `id`, the newest of each.
struct RowIDs: Sendable {
    /// By table, such as `chat.messages`.
    var tables: [String: Set<Int64>]

    private static let limit: Int64 = 200_000

    var count: Int { tables.values.map(\.count).reduce(0, +) }

    /// Those that are not in others.
    func missing(in others: RowIDs) -> RowIDs {
        RowIDs(
            tables: Dictionary(
                uniqueKeysWithValues: tables.map { ($0, $1.subtracting(others.tables[$0] ?? [])) }.filter {
                    !$1.isEmpty
                }
            )
        )
    }

    /// Those that are in others, too.
    func kept(in others: RowIDs) -> RowIDs {
        RowIDs(tables: Dictionary(uniqueKeysWithValues: tables.map { ($0, $1.intersection(others.tables[$0] ?? [])) }))
    }

    /// `3 rows of chat.messages, the first with id 7`.
    var sentence: String {
        tables.filter { !$1.isEmpty }.sorted { $0.key < $1.key }.map { table, ids in
            "\(ids.count) rows of \(table), the first with id \(ids.min() ?? 0)"
        }.joined(separator: ", ")
    }

    /// Reads all tables of services, or some.
    static func read(_ url: ServerURL, tables: [String]? = nil) async throws -> RowIDs {
        var configuration = try PostgresConfiguration(url: url.text, applicationName: "proof")
        configuration.statementTimeout = .seconds(30)
        let client = PostgresClient(configuration, logger: Logger(label: "proof") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            var found: [String: Set<Int64>] = [:]
            for (schema, table) in try await names(client) where tables?.contains("\(schema).\(table)") != false {
                let ids = try await client.all(
                    "SELECT id FROM \(identifier: schema).\(identifier: table) ORDER BY id DESC LIMIT \(limit)"
                ) { try $0.decode(Int64.self) }
                found["\(schema).\(table)"] = Set(ids)
            }
            return RowIDs(tables: found)
        }
    }

    private static func names(_ client: PostgresClient) async throws -> [(String, String)] {
        let schemas = ServiceName.allCases.map(\.rawValue)
        return try await client.all(
            """
            SELECT n.nspname::text, c.relname::text
            FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indnkeyatts = 1
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE n.nspname = ANY(\(schemas)) AND c.relkind = 'r' AND c.relpersistence = 'p'
                AND a.attname = 'id' AND a.atttypid = 'bigint'::regtype
            ORDER BY 1, 2
            """
        ) { try $0.decode(String.self, String.self) }
    }
}
