import Postgres
import Subway

/// SQL of lines and stations.
struct StationStore: Sendable {
    let database: PostgresClient

    /// Synchronizes the tables with the shipped data, and keeps all ids. Replicas that start concurrently are
    /// serialized.
    func load(_ stations: [Station]) async throws {
        let lines = Line.allCases
        try await database.transaction { transaction in
            try await transaction.execute("LOCK TABLE lines IN SHARE ROW EXCLUSIVE MODE")
            try await transaction.execute(
                """
                INSERT INTO lines (name, number) SELECT * FROM unnest(\(lines.map(\.rawValue)), \(lines.map(\.number)))
                ON CONFLICT (name) DO UPDATE SET number = excluded.number
                """
            )
            try await transaction.execute(
                """
                INSERT INTO stations (id, line, name, running_seconds, distance_km, total_seconds, total_km)
                SELECT * FROM unnest(
                    \(stations.map(\.id)), \(stations.map(\.line.rawValue)), \(stations.map(\.name)),
                    \(stations.map(\.runningSeconds)), \(stations.map(\.distanceKm)),
                    \(stations.map(\.totalSeconds)), \(stations.map(\.totalKm)))
                ON CONFLICT (id) DO UPDATE SET line = excluded.line, name = excluded.name,
                    running_seconds = excluded.running_seconds, distance_km = excluded.distance_km,
                    total_seconds = excluded.total_seconds, total_km = excluded.total_km
                """
            )
        }
    }
}
