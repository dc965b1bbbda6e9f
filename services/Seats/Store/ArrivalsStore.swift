import FoundationEssentials
import Postgres
import Subway

/// SQL of the answers of the arrivals API and of the calls to it, which all copies of the service share.
struct ArrivalsStore: Sendable {
    /// What is stored of a station, and whether the API may be called.
    struct State: Sendable {
        /// The last answer, with its age in seconds.
        var answer: (arrivals: [Arrival], age: Double)?
        /// Whether a copy of the service is asking about the station.
        var isAsked: Bool
        /// Whether the API is paused after failures.
        var isPaused: Bool
        var usage: ArrivalsPolicy.Usage
    }

    func state(of station: String, in database: some Querying) async throws -> State {
        try await database.one(
            """
            SELECT a.trains, extract(epoch FROM now() - a.answered_at)::double precision,
                coalesce(a.asked_until > now(), false), c.retry_at > now(),
                CASE WHEN c.day = \(Self.today) THEN c.calls ELSE 0 END,
                extract(epoch FROM (now() AT TIME ZONE 'Asia/Seoul')::time)::double precision / 86400
            FROM arrival_calls c LEFT JOIN arrivals a ON a.station = \(station)
            """
        ) { row in
            let (trains, age, isAsked, isPaused, calls, elapsed) = try row.decode(
                as: (PostgresJSON<[StoredArrival]>?, Double?, Bool, Bool, Int, Double).self
            )
            var answer: ([Arrival], Double)?
            if let trains, let age { answer = (trains.value.compactMap(\.arrival), age) }
            let usage = ArrivalsPolicy.Usage(calls: calls, elapsed: elapsed)
            return State(answer: answer, isAsked: isAsked, isPaused: isPaused, usage: usage)
        }
    }

    /// Lets this copy of the service ask about a station, unless another one does or has a fresh answer.
    func take(_ station: String, for lease: Double, freshness: Double, in database: some Querying) async throws -> Bool
    {
        try await database.execute(
            """
            INSERT INTO arrivals AS a (station, asked_until) VALUES (\(station), now() + make_interval(secs => \(lease)))
            ON CONFLICT (station) DO UPDATE SET asked_until = excluded.asked_until
            WHERE a.asked_until <= now()
                AND (a.answered_at IS NULL OR a.answered_at <= now() - make_interval(secs => \(freshness)))
            """
        ) == 1
    }

    /// Counts a call of the API. After failures one call is made to see whether it answers, and others wait for it.
    ///
    /// - Parameter limit: the daily quota.
    /// - Returns: false when the API is paused or the quota is used up.
    func takeCall(limit: Int, _ policy: ArrivalsPolicy, in database: some Querying) async throws -> Bool {
        try await database.execute(
            """
            UPDATE arrival_calls SET day = \(Self.today), calls = CASE WHEN day = \(Self.today) THEN calls + 1 ELSE 1 END,
                retry_at = CASE WHEN failures >= \(policy.failureLimit)
                    THEN now() + make_interval(secs => \(policy.lease)) ELSE retry_at END
            WHERE retry_at <= now() AND (day <> \(Self.today) OR calls < \(limit))
            """
        ) == 1
    }

    func save(_ arrivals: [Arrival], of station: String, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE arrivals SET trains = \(PostgresJSON(arrivals.map(StoredArrival.init))), answered_at = now(),
                asked_until = '-infinity'
            WHERE station = \(station)
            """
        )
        try await database.execute("UPDATE arrival_calls SET failures = 0, retry_at = '-infinity' WHERE failures > 0")
    }

    /// Lets others ask about a station.
    func release(_ station: String, in database: some Querying) async throws {
        try await database.execute("UPDATE arrivals SET asked_until = '-infinity' WHERE station = \(station)")
    }

    /// Records a failed call, and pauses the API after several.
    func fail(_ policy: ArrivalsPolicy, in transaction: PostgresTransaction) async throws {
        let failures = try await transaction.one(
            "UPDATE arrival_calls SET failures = failures + 1 RETURNING failures"
        ) { try $0.decode(Int.self) }
        guard let pause = policy.pause(afterFailures: failures) else { return }
        try await transaction.execute(
            "UPDATE arrival_calls SET retry_at = now() + make_interval(secs => \(pause))"
        )
    }

    /// The date in Seoul, at whose end the quota begins anew.
    private static let today: SQL = "(now() AT TIME ZONE 'Asia/Seoul')::date"
}

/// An announcement as stored.
private struct StoredArrival: Codable {
    var line: String
    var train: String
    var direction: Int
    var key: String
    var code: Int
    var seconds: Int
    var message: String
    var terminal: String
    /// Microseconds since 1970.
    var at: Int64

    init(_ arrival: Arrival) {
        line = arrival.line.rawValue
        train = arrival.trainNumber
        direction = arrival.direction.rawValue
        key = arrival.orderKey
        code = arrival.code
        seconds = arrival.announcedSeconds
        message = arrival.message
        terminal = arrival.terminal
        at = arrival.receivedAt.microseconds
    }

    /// nil for a line of another version of the service.
    var arrival: Arrival? {
        guard let line = Line(rawValue: line), let direction = Direction(rawValue: direction) else { return nil }
        return Arrival(
            line: line,
            trainNumber: train,
            direction: direction,
            orderKey: key,
            code: code,
            announcedSeconds: seconds,
            message: message,
            terminal: terminal,
            receivedAt: Date(timeIntervalSince1970: Double(at) / 1e6)
        )
    }
}
