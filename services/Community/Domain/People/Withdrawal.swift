import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles

/// Removes data of a withdrawn account. Posts and comments of Anlaka and Seoul Culture are kept without the author's
/// name; everything else is deleted. Idempotent.
struct Withdrawal: Sendable {
    let people: People
    let attachments: Attachments
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let likes = LikeStore()
    private let reports = ReportStore()
    let follows: Follows
    let favourites: FavoriteEvents
    let purchases: Purchases
    private let companions = CompanionPostStore()
    private let gallery = GalleryStore()
    private let attendance = AttendanceStore()

    init(
        people: People,
        attachments: Attachments,
        follows: Follows,
        favourites: FavoriteEvents,
        purchases: Purchases,
        outbox: Outbox,
        now: @escaping @Sendable () -> Date
    ) {
        self.people = people
        self.attachments = attachments
        self.follows = follows
        self.favourites = favourites
        self.purchases = purchases
        self.outbox = outbox
        self.now = now
    }

    func withdraw(_ account: AccountID, of app: App, in transaction: PostgresTransaction) async throws {
        try await people.withdraw(account, of: app, at: now(), in: transaction)
        try await likes.deleteAll(of: account, in: transaction)
        try await reports.deleteAll(of: account, in: transaction)
        try await follows.deleteAll(of: account, transaction)
        try await favourites.deleteAll(of: account, transaction)
        try await purchases.deleteAll(of: account, transaction)
        for post in try await companions.deleteAll(of: account, in: transaction) {
            try await reports.forget(post, in: transaction)
            try outbox.publish(CommunityEvents.CompanionPostDeleted(post: post), in: transaction)
        }
        for item in try await gallery.deleteAll(of: account, in: transaction) {
            try await reports.forget(item, in: transaction)
        }
        try await attendance.deleteAll(of: account, in: transaction)
        try await attachments.letGoOfAll(of: account, transaction)
        try outbox.publish(CommunityEvents.AccountErased(account: account), in: transaction)
    }
}
