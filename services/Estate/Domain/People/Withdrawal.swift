import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles

/// Removes data of a withdrawn account: likes, comments, listings and pictures. A listing that another user has paid to
/// reserve is kept with its pictures, but without the creator's name. Idempotent.
struct Withdrawal: Sendable {
    let people: People
    let outbox: Outbox
    let pictures: Pictures
    let now: @Sendable () -> Date
    private let listings = ListingStore()
    private let likes = LikeStore()
    private let comments = CommentStore(.listings)

    func withdraw(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await people.withdraw(account, of: .anlaka, at: now(), in: transaction)
        try await likes.deleteAll(of: account, in: transaction)
        try await comments.deleteAll(of: account, in: transaction)
        try await listings.deleteUnreserved(of: account, in: transaction)
        let named = try await listings.thumbnails(of: account, in: transaction)
        try await pictures.release(of: account, except: named, in: transaction)
        try outbox.publish(EstateEvents.AccountErased(account: account), in: transaction)
    }
}
