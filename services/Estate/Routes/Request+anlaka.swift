import AppWire
import Hummingbird
import ServiceHost

extension Request {
    /// A number of the query; nil when it is not there, or empty.
    ///
    /// - Throws: `Problem` (400) for what is no finite number.
    func numberQuery(_ name: String) throws -> Double? {
        guard let text = query(name), !text.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw Problem(.badParameter, message: "\(name) must be a number.")
        }
        return number
    }

    /// A number that must be there.
    ///
    /// - Throws: `Problem` (400).
    func requiredNumber(_ name: String) throws -> Double {
        guard let number = try numberQuery(name) else {
            throw Problem(.badParameter, message: "\(name) is required.")
        }
        return number
    }

    /// `longitude` and `latitude`, required.
    ///
    /// - Throws: `Problem` (400) for what is not on the globe.
    func placeQuery() throws -> Coordinate {
        let (longitude, latitude) = (try requiredNumber("longitude"), try requiredNumber("latitude"))
        guard let place = Coordinate(checking: latitude, longitude) else {
            throw Problem(
                .badParameter,
                message: "longitude must be from -180 to 180, and latitude from -90 to 90."
            )
        }
        return place
    }

    /// `category`, `area_min`, `area_max` (m²), `rent_min`, `rent_max`, `deposit_min`, `deposit_max` (won), as far as they
    /// are there.
    ///
    /// - Throws: `Problem` (400).
    func listingFilter() throws -> ListingFilter {
        var filter = ListingFilter()
        if let category = query("category"), !category.isEmpty {
            // No listing's has a NUL, and PostgreSQL takes none.
            filter.category = category.contains("\0") ? "" : category
        }
        filter.area = try bounds("area")
        filter.rent = try bounds("rent")
        filter.deposit = try bounds("deposit")
        return filter
    }

    private func bounds(_ name: String) throws -> ListingFilter.Bounds {
        let bounds = ListingFilter.Bounds(least: try numberQuery("\(name)_min"), most: try numberQuery("\(name)_max"))
        if let least = bounds.least, let most = bounds.most, least > most {
            throw Problem(.badParameter, message: "\(name)_min must not be above \(name)_max.")
        }
        return bounds
    }
}
