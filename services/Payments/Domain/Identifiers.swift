import Contracts
import Postgres
import ServiceDatabase

/// An order of a listing or of a post.
struct OrderID: RowIdentifier {
    let rawValue: Int64

    /// The id of an order before it is stored.
    static let unassigned = OrderID(rawValue: 0)
}

/// A refund to be requested from PortOne.
struct RefundID: RowIdentifier {
    let rawValue: Int64
}
