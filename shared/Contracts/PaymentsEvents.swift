package import FoundationEssentials

/// The events of the payments service.
package enum PaymentsEvents {
    /// An order for an Anlaka listing reserved it, was paid, or released it. Events of one listing are ordered; a
    /// released order never reserves the listing again.
    package struct ReservationChanged: Event, Equatable {
        package static let name = "payments.reservation-changed"

        package enum State: Codable, Sendable, Equatable {
            /// The payment is pending.
            case held(until: Date)
            case paid
            /// Cancelled, expired or refunded.
            case released
        }

        package var listing: PublicID
        /// The account that reserves.
        package var account: AccountID
        /// The order's code.
        package var order: String
        package var state: State

        package var key: String { listing.rawValue }

        package init(listing: PublicID, account: AccountID, order: String, state: State) {
            self.listing = listing
            self.account = account
            self.order = order
            self.state = state
        }
    }

    /// A Seoul Culture post with a price was paid for, or the payment was fully refunded.
    package struct PurchaseChanged: Event, Equatable {
        package static let name = "payments.purchase-changed"

        package var post: PublicID
        package var account: AccountID
        package var isPaid: Bool

        package var key: String { "\(post) \(account)" }

        package init(post: PublicID, account: AccountID, isPaid: Bool) {
            self.post = post
            self.account = account
            self.isPaid = isPaid
        }
    }

    /// An order was paid or fully refunded. Notifications informs the user.
    package struct OrderSettled: Event, Equatable {
        package static let name = "payments.order-settled"

        package enum Outcome: String, Codable, Sendable {
            case paid, refunded
        }

        package var app: App
        package var account: AccountID
        /// The order's code.
        package var order: String
        /// The name of the purchased item.
        package var name: String
        /// Won.
        package var amount: Int64
        package var outcome: Outcome

        package var key: String { order }

        package init(app: App, account: AccountID, order: String, name: String, amount: Int64, outcome: Outcome) {
            self.app = app
            self.account = account
            self.order = order
            self.name = name
            self.amount = amount
            self.outcome = outcome
        }
    }

    /// The service has erased the data of a withdrawn account (`AuthEvents.AccountWithdrawn`), except for accounting
    /// records that the law requires to be kept. Published for each withdrawal event received, even if there was no
    /// data.
    package struct AccountErased: Event, Equatable {
        package static let name = "payments.account-erased"

        package var account: AccountID

        package var key: String { String(account) }

        package init(account: AccountID) {
            self.account = account
        }
    }
}
