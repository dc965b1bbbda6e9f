import Subway

/// Search over all stations. Station data ships with the service, so it is kept in memory.
struct StationCatalogue: Sendable {
    /// Sorted by the distance from the first stop of the line, then by id.
    private let stations: [Station]
    private let byID: [StationID: Station]

    enum Order: Sendable {
        /// Away from the line's first stop, or towards it.
        case up, down
    }

    init(_ stations: [Station]) {
        self.stations = stations.sorted { ($0.totalKm, $0.id) < ($1.totalKm, $1.id) }
        self.byID = Dictionary(stations.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Stations whose name contains the keyword, on one line or on all.
    func search(keyword: String?, line: Line?, order: Order) -> [Station] {
        let found = stations.filter { station in
            (line == nil || station.line == line) && (keyword.map(station.name.contains) ?? true)
        }
        return order == .up ? found : found.reversed()
    }

    func station(id: StationID) -> Station? {
        byID[id]
    }
}
