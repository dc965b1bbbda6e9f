import Postgres
import Subway

/// All SQL of lines and stations.
struct StationStore: Sendable {
    let database: PostgresClient

    /// Makes the tables say what the shipped data says, keeping every id.
    func load(_ stations: [Station]) async throws {
        let lines = Line.allCases
        _ = try await database.batch([
            """
            INSERT INTO lines (name, number) SELECT * FROM unnest(\(lines.map(\.rawValue)), \(lines.map(\.number)))
            ON CONFLICT (name) DO UPDATE SET number = excluded.number
            """,
            """
            INSERT INTO stations (id, line, name, running_seconds, distance_km, total_seconds, total_km)
            SELECT * FROM unnest(
                \(stations.map(\.id)), \(stations.map(\.line.rawValue)), \(stations.map(\.name)),
                \(stations.map(\.runningSeconds)), \(stations.map(\.distanceKm)),
                \(stations.map(\.totalSeconds)), \(stations.map(\.totalKm)))
            ON CONFLICT (id) DO UPDATE SET line = excluded.line, name = excluded.name,
                running_seconds = excluded.running_seconds, distance_km = excluded.distance_km,
                total_seconds = excluded.total_seconds, total_km = excluded.total_km
            """,
        ])
    }
}
