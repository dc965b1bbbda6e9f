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

    /// Somebody has paid for an order, or has got all of it back. For who tells them so.
    package struct OrderSettled: Event, Equatable {
        package static let name = "payments.order-settled"

        package enum Outcome: String, Codable, Sendable {
            case paid, refunded
        }

        package var app: App
        package var account: Int64
        /// The order's code.
        package var order: String
        /// What was paid for.
        package var name: String
        /// Won.
        package var amount: Int64
        package var outcome: Outcome

        package var key: String { order }

        package init(app: App, account: Int64, order: String, name: String, amount: Int64, outcome: Outcome) {
            self.app = app
            self.account = account
            self.order = order
            self.name = name
            self.amount = amount
            self.outcome = outcome
        }
    }

    /// The service has let go of whatever was an account's, after its owner left (`AuthEvents.AccountWithdrawn`), but for the
    /// books, which the law has kept. Said each time that it is told, also when there was nothing.
    package struct AccountErased: Event, Equatable {
        package static let name = "payments.account-erased"

        package var account: Int64

        package var key: String { String(account) }

        package init(account: Int64) {
            self.account = account
        }
    }
}
