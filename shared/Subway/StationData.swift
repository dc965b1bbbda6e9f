import Contracts

/// The stops of Seoul's subway: `Data/stations.csv`, one row per stop, in the order of their lines.
///
/// The data are Seoul Metro's distances and running times between neighbouring stations (Seoul Open Data Plaza, data
/// set OA-12034, open government data, attribution required), extended by the running time since the line's first row.
/// Lines 1, 3, 4, 7 and 8 cover Seoul Metro's own sections only; line 2 lists 시청 twice (both ends of the circle) and
/// then its branches, line 5 lists its branch last, line 6 lists 응암 twice (both ends of its loop).
package enum StationData {
    /// A row that is not `id,line,name,m:ss,km,total km,total seconds`.
    package struct Unreadable: Error {
        package var row: Int
    }

    package static func stations(csv bytes: [UInt8] = PackageResources.stations_csv) throws -> [Station] {
        let rows = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
        return try rows.enumerated().map { index, row in
            guard let station = Station(csv: row) else { throw Unreadable(row: index + 2) }
            return station
        }
    }
}

extension Station {
    fileprivate init?(csv row: Substring) {
        let fields = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 7, let id = StationID(fields[0]), let line = Line(parsing: fields[1]), !fields[2].isEmpty,
            let seconds = Self.seconds(fields[3]), let km = Double(fields[4]), let totalKm = Double(fields[5]),
            let totalSeconds = Int(fields[6])
        else { return nil }
        self.init(
            id: id,
            line: line,
            name: fields[2],
            runningSeconds: seconds,
            distanceKm: km,
            totalSeconds: totalSeconds,
            totalKm: totalKm
        )
    }

    /// Parses `m:ss` to seconds.
    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
    }
}
