import Glibc

/// A neighbourhood (동) of Seoul, and the coordinates of its centre.
///
/// `Data/neighbourhoods.csv` has a row for each. The figures are those of the forecast points of the Korea
/// Meteorological Administration (기상청 단기예보 지점 좌표, public data under KOGL), in degrees (WGS 84) to four decimals, 10 m.
package struct Neighbourhood: Sendable, Equatable {
    /// The district (구): `노원구`.
    package var district: String
    /// The neighbourhood by the name of its office: `상계6.7동`, `창신제1동`.
    package var name: String
    package var latitude: Double
    package var longitude: Double

    /// All neighbourhoods of Seoul, district by district.
    package static let all: [Neighbourhood] = {
        do {
            return try read(csv: PackageResources.neighbourhoods_csv)
        } catch {
            preconditionFailure("the neighbourhoods that were built in cannot be read: \(error)")
        }
    }()

    /// The neighbourhood whose centre is nearest to a place; for its distance see `distance(toLatitude:longitude:)`.
    package static func nearest(latitude: Double, longitude: Double) -> Neighbourhood {
        let distances = all.map { $0.distance(toLatitude: latitude, longitude: longitude) }
        let least = distances.indices.min { distances[$0] < distances[$1] }
        return all[least ?? all.startIndex]
    }

    /// The distance of a place from the centre, in metres. It is calculated on a plane, which is accurate to a
    /// thousandth within Seoul.
    package func distance(toLatitude latitude: Double, longitude: Double) -> Double {
        let metresPerDegree = 111_195.0
        let north = (latitude - self.latitude) * metresPerDegree
        let east = (longitude - self.longitude) * metresPerDegree * cos(self.latitude * .pi / 180)
        return (north * north + east * east).squareRoot()
    }
}

extension Neighbourhood {
    /// A row that is not `district,neighbourhood,latitude,longitude`.
    package struct Unreadable: Error {
        package var row: Int
    }

    static func read(csv bytes: [UInt8]) throws(Unreadable) -> [Neighbourhood] {
        let rows = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
        var neighbourhoods: [Neighbourhood] = []
        for (index, row) in rows.enumerated() {
            guard let neighbourhood = Neighbourhood(csv: row) else { throw Unreadable(row: index + 2) }
            neighbourhoods.append(neighbourhood)
        }
        return neighbourhoods
    }

    private init?(csv row: Substring) {
        let fields = row.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 4, !fields[0].isEmpty, !fields[1].isEmpty, let latitude = Double(fields[2]),
            let longitude = Double(fields[3])
        else { return nil }
        self.init(district: String(fields[0]), name: String(fields[1]), latitude: latitude, longitude: longitude)
    }
}
