import FoundationEssentials
import Postgres
import ServiceKit

/// The spans of kept traces, and what they are found by.
struct TraceStore: Sendable {
    let database: PostgresClient

    func insert(_ fragments: [Fragment]) async throws {
        let stories = fragments.compactMap { fragment in fragment.first.map { (fragment, $0) } }
        let subjects = fragments.flatMap { fragment in fragment.subjects.map { (fragment.trace, $0) } }
        try await database.execute(
            """
            WITH spans AS (
                INSERT INTO spans (trace, program, spans, count)
                SELECT * FROM unnest(\(fragments.map(\.trace))::uuid[], \(fragments.map(\.program))::text[],
                    \(fragments.map { PostgresJSON($0.spans) })::jsonb[], \(fragments.map(\.spans.count))::int[])
            ), stories AS (
                INSERT INTO stories (trace, program, name, app, status, started_at, microseconds, failed)
                SELECT trace, program, name, nullif(app, ''), nullif(status, 0), to_timestamp(start), microseconds, failed
                FROM unnest(\(stories.map(\.0.trace))::uuid[], \(stories.map(\.0.program))::text[],
                    \(stories.map(\.1.name))::text[], \(stories.map { $0.1["madang.app"] ?? "" })::text[],
                    \(stories.map { $0.1.httpStatus ?? 0 })::int[],
                    \(stories.map { Double($0.1.start) / 1_000_000_000 })::float8[],
                    \(stories.map(\.1.microseconds))::bigint[], \(stories.map(\.1.isFailed))::bool[])
                    AS new (trace, program, name, app, status, start, microseconds, failed)
            )
            INSERT INTO subjects (trace, kind, value)
            SELECT * FROM unnest(\(subjects.map(\.0))::uuid[], \(subjects.map(\.1.kind.rawValue))::text[],
                \(subjects.map(\.1.value))::text[])
            """
        )
    }

    /// A part of a trace's spans: about as many as `size`, in the order in which they were stored.
    struct Part: Sendable {
        var spans: [(program: String, span: StoredSpan)]
        /// The number of parts.
        var parts: Int
    }

    func part(_ number: Int, of trace: UUID, size: Int) async throws -> Part {
        var parts = 0
        let rows = try await database.all(
            """
            SELECT program, spans, (total - 1) / \(size)::bigint + 1 FROM (
                SELECT program, spans, at, count, sum(count) OVER (ORDER BY at, program, ctid) AS through,
                    sum(count) OVER () AS total
                FROM spans WHERE trace = \(trace)
            ) AS counted
            WHERE (through - count) / \(size)::bigint = \(number)::bigint ORDER BY at, through
            """
        ) { row in
            let (program, spans, count) = try row.decode(String.self, PostgresJSON<[StoredSpan]>.self, Int.self)
            parts = count
            return spans.value.map { (program, $0) }
        }
        return Part(spans: rows.flatMap(\.self), parts: parts)
    }

    /// The newest traces that have a subject of one of the values.
    func stories(about values: [String], limit: Int) async throws -> [StorySummary] {
        try await database.all(
            """
            SELECT trace, program, name, app, status, started_at, microseconds, failed FROM (
                SELECT DISTINCT ON (s.trace) s.* FROM (
                    SELECT trace FROM subjects WHERE value = ANY(\(values)) GROUP BY trace ORDER BY max(at) DESC LIMIT \(limit)
                ) AS found JOIN stories s USING (trace) ORDER BY s.trace, s.at
            ) AS each_once ORDER BY started_at DESC
            """,
            StorySummary.init
        )
    }

    /// The newest traces.
    ///
    /// - Parameter isFailed: Whether only those with an error are wanted.
    func stories(isFailed: Bool, limit: Int) async throws -> [StorySummary] {
        try await database.all(
            """
            SELECT trace, program, name, app, status, started_at, microseconds, failed FROM stories
            WHERE failed OR NOT \(isFailed) ORDER BY at DESC LIMIT \(limit)
            """,
            StorySummary.init
        )
    }
}

/// A line about a trace: its first span.
struct StorySummary: Sendable {
    var trace: UUID
    var program: String
    var name: String
    var app: String?
    var status: Int?
    var startedAt: Date
    var microseconds: Int64
    var isFailed: Bool

    init(_ row: borrowing Row) throws {
        (trace, program, name, app, status, startedAt, microseconds, isFailed) = try row.decode(
            UUID.self,
            String.self,
            String.self,
            String?.self,
            Int?.self,
            Date.self,
            Int64.self,
            Bool.self
        )
    }
}
