import Contracts
import Postgres
import ServiceDatabase

/// A listing, by its row; the apps and other services know it by its public id.
struct ListingID: RowIdentifier {
    let rawValue: Int64
}
