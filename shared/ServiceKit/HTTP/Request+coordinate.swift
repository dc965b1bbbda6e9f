import Apps
package import Hummingbird
package import Values

extension Request {
    /// A number from the query; nil if it is missing or empty.
    ///
    /// - Throws: `Problem` (400) for a value that is not a finite number.
    package func numberQuery(_ name: String) throws -> Double? {
        guard let text = query(name), !text.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw Problem(.badParameter, message: "\(name) must be a number.")
        }
        return number
    }

    /// A required number from the query.
    ///
    /// - Throws: `Problem` (400).
    package func requiredNumber(_ name: String) throws -> Double {
        guard let number = try numberQuery(name) else {
            throw Problem(.badParameter, message: "\(name) is required.")
        }
        return number
    }

    /// `longitude` and `latitude`, required.
    ///
    /// - Throws: `Problem` (400) for coordinates out of range.
    package func placeQuery() throws -> Coordinate {
        let (longitude, latitude) = (try requiredNumber("longitude"), try requiredNumber("latitude"))
        guard let place = Coordinate(checking: latitude, longitude) else {
            throw Problem(
                .badParameter,
                message: "longitude must be from -180 to 180, and latitude from -90 to 90."
            )
        }
        return place
    }
}
