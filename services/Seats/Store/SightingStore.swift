import FoundationEssentials
import Postgres
import Subway

/// All SQL of sightings: where each train of the day was last seen, and where it ends.
struct SightingStore: Sendable {
    let map: LineMap

    /// A train that was seen.
    struct Entry: Sendable {
        var arrival: Arrival
        /// Where it comes to.
        var station: Int64
        /// In so many seconds.
        var seconds: Int
        /// Where it ends, if that is one of our stops.
        var terminal: Int64?
    }

    /// Keeps what was seen, unless something newer is known of a train.
    func save(_ entries: [Entry], in database: some Querying) async throws {
        // One row per train, in an order that two calls at once share.
        var unique: [String: Entry] = [:]
        for entry in entries { unique["\(entry.arrival.trainNumber) \(entry.arrival.line.rawValue)"] = entry }
        let rows = unique.sorted { $0.key < $1.key }.map(\.value)
        guard !rows.isEmpty else { return }
        try await database.execute(
            """
            INSERT INTO sightings (train_code, line, direction, terminal, terminal_id, station_id, seconds, seen_at)
            SELECT * FROM unnest(
                \(rows.map(\.arrival.trainNumber)), \(rows.map(\.arrival.line.rawValue)),
                \(rows.map { Int16($0.arrival.direction.rawValue) }), \(rows.map(\.arrival.terminal)),
                \(rows.map(\.terminal)), \(rows.map(\.station)), \(rows.map { Int32(clamping: $0.seconds) }),
                \(rows.map(\.arrival.receivedAt)))
            ON CONFLICT (service_date, train_code, line) DO UPDATE
            SET direction = excluded.direction, terminal = excluded.terminal, terminal_id = excluded.terminal_id,
                station_id = excluded.station_id, seconds = excluded.seconds, seen_at = excluded.seen_at
            WHERE sightings.seen_at <= excluded.seen_at
            """
        )
    }

    /// Forgets the days before yesterday.
    func deleteOld(in database: some Querying) async throws {
        try await database.execute("DELETE FROM sightings WHERE service_date < service_date() - 1")
    }

    /// Where a train of today ends, and when it is there.
    ///
    /// - Parameter line: for a number that trains of several lines have; without it the train that was seen last counts.
    /// - Returns: nil for a train that nobody has seen today.
    func sighting(of trainCode: String, line: Line? = nil, in database: some Querying) async throws -> Sighting? {
        try await database.run(sighting(of: trainCode, line: line))
    }

    func sighting(of trainCode: String, line: Line? = nil) -> Statement<Sighting?> {
        .optional(
            """
            SELECT direction, terminal, terminal_id, station_id, seconds, seen_at FROM sightings
            WHERE service_date = service_date() AND train_code = \(trainCode)
                AND (\(line?.rawValue)::text IS NULL OR line = \(line?.rawValue)::text)
            ORDER BY seen_at DESC LIMIT 1
            """
        ) { [map] row in
            let (direction, name, terminal, station, seconds, seenAt) = try row.decode(
                as: (Int, String, Int64?, Int64, Int, Date).self
            )
            let rest = map.secondsToEnd(
                of: terminal,
                from: station,
                going: Direction(rawValue: direction) ?? .up
            )
            return Sighting(
                terminalName: terminal.flatMap { map.station($0)?.name } ?? name,
                arrivalAtTerminal: seenAt + Double(seconds + rest)
            )
        }
    }
}
