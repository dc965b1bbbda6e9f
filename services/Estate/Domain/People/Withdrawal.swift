import Comments
import Contracts
import FoundationEssentials
import Outbox
import People
import Postgres

/// What happens here when somebody leaves the app for good. Their likes, comments, listings and pictures go; a listing that
/// somebody else has paid to reserve stays with its pictures, without its creator's name. May be told any number of times.
struct Withdrawal: Sendable {
    let people: People
    let outbox: Outbox
    let pictures: Pictures
    let now: @Sendable () -> Date
    private let listings = ListingStore()
    private let likes = LikeStore()
    private let comments = CommentStore(.listings)

    init(people: People, outbox: Outbox, pictures: Pictures, now: @escaping @Sendable () -> Date) {
        self.people = people
        self.outbox = outbox
        self.pictures = pictures
        self.now = now
    }

    func withdraw(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await people.withdraw(account, of: .anlaka, at: now(), in: transaction)
        try await likes.deleteAll(of: account, in: transaction)
        try await comments.deleteAll(of: account, in: transaction)
        try await listings.deleteUnreserved(of: account, in: transaction)
        let named = try await listings.thumbnails(of: account, in: transaction)
        try await pictures.letGo(of: account, except: named, in: transaction)
        try await outbox.publish(EstateEvents.AccountErased(account: account), in: transaction)
    }
}
