import Contracts
import Postgres

/// How often programs have called others, by the minute.
struct CallStore: Sendable {
    let database: PostgresClient

    func add(_ report: ConsoleAPI.Calls) async throws {
        for target in report.targets {
            try await database.execute(
                """
                INSERT INTO calls (minute, program, target, calls, failures, times)
                VALUES (date_trunc('minute', now()), \(report.program), \(target.name), \(target.calls),
                    \(target.failures), \(target.times))
                ON CONFLICT (minute, program, target) DO UPDATE SET calls = calls.calls + EXCLUDED.calls,
                    failures = calls.failures + EXCLUDED.failures,
                    times = (SELECT array_agg(coalesce(a, 0) + coalesce(b, 0) ORDER BY n)
                        FROM unnest(calls.times, EXCLUDED.times) WITH ORDINALITY AS sums (a, b, n))
                """
            )
        }
    }

    /// The calls of the last hour, by program and target, in the order of their names.
    func lastHour() async throws -> [Arrow] {
        try await database.all(
            """
            SELECT program, target, sum(calls)::bigint, sum(failures)::bigint,
                sum(calls) FILTER (WHERE minute >= now() - interval '5 minutes')::bigint,
                sum(failures) FILTER (WHERE minute >= now() - interval '5 minutes')::bigint,
                (SELECT array_agg(total ORDER BY n) FROM (
                    SELECT n, sum(t)::bigint AS total FROM calls c, unnest(c.times) WITH ORDINALITY AS times (t, n)
                    WHERE c.program = calls.program AND c.target = calls.target AND c.minute >= now() - interval '1 hour'
                    GROUP BY n) AS totals)
            FROM calls WHERE minute >= now() - interval '1 hour' GROUP BY program, target ORDER BY program, target
            """
        ) { row in
            let (program, target, calls, failures, recent, recentFailures, times) = try row.decode(
                String.self,
                String.self,
                Int.self,
                Int.self,
                Int?.self,
                Int?.self,
                [Int].self
            )
            return Arrow(
                program: program,
                target: target,
                calls: calls,
                failures: failures,
                recentCalls: recent ?? 0,
                recentFailures: recentFailures ?? 0,
                times: times
            )
        }
    }

    /// All calls by minute of the last hour, as counts by duration, oldest first.
    func heat() async throws -> [(minutesAgo: Int, times: [Int])] {
        try await database.all(
            """
            SELECT ago, array_agg(total ORDER BY n) FROM (
                SELECT (extract(epoch FROM date_trunc('minute', now()) - minute) / 60)::bigint AS ago, n, sum(t)::bigint AS total
                FROM calls, unnest(times) WITH ORDINALITY AS counts (t, n)
                WHERE minute > now() - interval '1 hour' AND program = 'gateway' GROUP BY ago, n) AS cells
            GROUP BY ago ORDER BY ago DESC
            """
        ) { try $0.decode(Int.self, [Int].self) }
    }
}
