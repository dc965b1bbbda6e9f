import FoundationEssentials
import Postgres
import Subway

/// SQL of train positions: the last known position of each train of the day, and its terminal.
struct TrainPositionStore: Sendable {
    let map: LineMap

    /// The position of a train.
    struct Entry: Sendable {
        var arrival: Arrival
        /// The id of the next station.
        var station: StationID
        /// Seconds until the arrival there.
        var seconds: Int
        /// The id of the terminal, if it is in the station data.
        var terminal: StationID?
    }

    /// Stores positions, unless a newer one of the train is stored.
    func save(_ entries: [Entry], in database: some Querying) async throws {
        // One row per train, in a common order, so that concurrent calls do not deadlock.
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

    /// The terminal of a train of the current day, and its arrival there.
    ///
    /// - Parameter line: distinguishes trains of several lines with the same number; without it, the most recent
    ///   position is used.
    /// - Returns: nil for a train without a position today.
    func sighting(of trainCode: String, line: Line? = nil, in database: some Querying) async throws -> TrainPosition? {
        try await database.run(sighting(of: trainCode, line: line))
    }

    func sighting(of trainCode: String, line: Line? = nil) -> Statement<TrainPosition?> {
        .optional(
            """
            SELECT direction, terminal, terminal_id, station_id, seconds, seen_at FROM sightings
            WHERE service_date = service_date() AND train_code = \(trainCode)
                AND (\(line?.rawValue)::text IS NULL OR line = \(line?.rawValue)::text)
            ORDER BY seen_at DESC LIMIT 1
            """
        ) { [map] row in
            let (direction, name, terminal, station, seconds, seenAt) = try row.decode(
                as: (Int, String, StationID?, StationID, Int, Date).self
            )
            let rest = map.secondsToEnd(
                of: terminal,
                from: station,
                going: Direction(rawValue: direction) ?? .up
            )
            return TrainPosition(
                terminalName: terminal.flatMap { map.station($0)?.name } ?? name,
                arrivalAtTerminal: seenAt + Double(seconds + rest)
            )
        }
    }
}
