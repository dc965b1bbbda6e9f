import Contracts
import TestKit

/// The last states that estate and community have received.
struct RoundStubs: Sendable {
    struct Purchase: Hashable {
        var post: String
        var account: AccountID
    }

    /// By the order's code.
    let reservations: [String: PaymentsEvents.ReservationChanged.State]
    let purchases: [Purchase: Bool]

    init(_ state: StubServices.State) {
        reservations = Dictionary(state.reservations.map { ($0.order, $0.state) }) { $1 }
        purchases = Dictionary(
            state.purchases.map { (Purchase(post: $0.post.rawValue, account: $0.account), $0.isPaid) }
        ) { $1 }
    }

    /// StubServices that have every listing and post of the rounds.
    static func all() -> StubServices {
        StubServices(
            listing: { $0.hasPrefix("5") ? RoundGoods.details($0) : nil },
            offer: { post in
                guard post.hasPrefix("6") else { return nil }
                return CommunityAPI.Offer(account: 900, title: "후원하기", price: RoundGoods.price(of: post))
            }
        )
    }
}
