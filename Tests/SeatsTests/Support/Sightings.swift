import Postgres

@testable import Seats

/// Announced trains, without an arrivals service.
enum Sightings {
    /// Records that trains of line 2 run today.
    static func add(_ trains: [String], to database: PostgresClient) async throws {
        try await database.execute(
            """
            INSERT INTO sightings (train_code, line, direction, terminal, station_id, seconds, seen_at)
            SELECT code, 'LINE_2', 1, '성수', 32, 60, now() FROM unnest(\(trains)) AS code
            ON CONFLICT DO NOTHING
            """
        )
        try await TrainStore().sight(trains, in: database)
    }
}
