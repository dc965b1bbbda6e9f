package import FoundationEssentials

/// What the payments service announces.
package enum PaymentsEvents {
    /// An order for a listing of Anlaka came to hold it, was paid, or let go of it. A listing's news come in their order; an
    /// order that has let go holds nothing any more.
    package struct ReservationChanged: Event, Equatable {
        package static let name = "payments.reservation-changed"

        package enum State: Codable, Sendable, Equatable {
            /// Somebody is about to pay.
            case held(until: Date)
            case paid
            /// Given up, run out, or paid back.
            case released
        }

        /// 24 hexadecimal digits.
        package var listing: String
        /// Who reserves.
        package var account: Int64
        /// The order's code.
        package var order: String
        package var state: State

        package var key: String { listing }

        package init(listing: String, account: Int64, order: String, state: State) {
            self.listing = listing
            self.account = account
            self.order = order
            self.state = state
        }
    }

    /// Somebody has paid for a post of Seoul Culture that has a price, or has got all of it back.
    package struct PurchaseChanged: Event, Equatable {
        package static let name = "payments.purchase-changed"

        /// 24 hexadecimal digits.
        package var post: String
        package var account: Int64
        package var isPaid: Bool

        package var key: String { "\(post) \(account)" }

        package init(post: String, account: Int64, isPaid: Bool) {
            self.post = post
            self.account = account
            self.isPaid = isPaid
        }
    }
}
