import Contracts
import TestKit

/// What estate and community have been told last.
struct RoundNeighbours: Sendable {
    struct Purchase: Hashable {
        var post: String
        var account: AccountID
    }

    /// By the order's code.
    let reservations: [String: PaymentsEvents.ReservationChanged.State]
    let purchases: [Purchase: Bool]

    init(_ told: Neighbours.State) {
        reservations = Dictionary(told.reservations.map { ($0.order, $0.state) }) { $1 }
        purchases = Dictionary(
            told.purchases.map { (Purchase(post: $0.post, account: $0.account), $0.isPaid) }
        ) { $1 }
    }

    /// All that the rounds' people may want is there.
    static func all() -> Neighbours {
        Neighbours(
            listing: { $0.hasPrefix("5") ? RoundGoods.told($0) : nil },
            offer: { post in
                guard post.hasPrefix("6") else { return nil }
                return CommunityAPI.Offer(account: 900, title: "후원하기", price: RoundGoods.price(of: post))
            }
        )
    }
}
