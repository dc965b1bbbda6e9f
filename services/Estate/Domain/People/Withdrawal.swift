import Contracts
import FoundationEssentials
import Outbox
import Postgres

/// What happens here when somebody leaves the app for good. Their likes, comments and listings go; a listing that somebody
/// else has paid to reserve stays, without its creator's name. May be told any number of times.
struct Withdrawal: Sendable {
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let people = PersonStore()
    private let listings = ListingStore()
    private let likes = LikeStore()
    private let comments = CommentStore()

    init(outbox: Outbox, now: @escaping @Sendable () -> Date) {
        self.outbox = outbox
        self.now = now
    }

    func withdraw(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await people.withdraw(account, at: now(), in: transaction)
        try await likes.deleteAll(of: account, in: transaction)
        try await comments.deleteAll(of: account, in: transaction)
        try await listings.deleteUnreserved(of: account, in: transaction)
        // pictures of theirs
        try await outbox.publish(EstateEvents.AccountErased(account: account), in: transaction)
    }
}
