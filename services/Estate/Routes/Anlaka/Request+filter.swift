import Apps
import Hummingbird
import ServiceKit

extension Request {
    /// The filter of the parameters `category`, `area_min`, `area_max` (m²), `rent_min`, `rent_max`, `deposit_min` and
    /// `deposit_max` (won).
    ///
    /// - Throws: `Problem` (400).
    func listingFilter() throws -> ListingFilter {
        var filter = ListingFilter()
        if let category = query("category"), !category.isEmpty {
            // PostgreSQL rejects NUL, and no listing's category has one.
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
