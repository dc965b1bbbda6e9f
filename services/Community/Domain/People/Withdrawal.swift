import Contracts
import FoundationEssentials
import Outbox
import People
import Postgres

/// What happens here when somebody leaves an app for good. What others have read and answered stays without their name: posts
/// and comments of Anlaka and Seoul Culture. Everything else goes. May be told any number of times.
struct Withdrawal: Sendable {
    let people: People
    let attachments: Attachments
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let likes = LikeStore()
    private let reports = ReportStore()
    // culture
    // withsuhyeon

    init(people: People, attachments: Attachments, outbox: Outbox, now: @escaping @Sendable () -> Date) {
        self.people = people
        self.attachments = attachments
        self.outbox = outbox
        self.now = now
    }

    func withdraw(_ account: Int64, of app: App, in transaction: PostgresTransaction) async throws {
        try await people.withdraw(account, of: app, at: now(), in: transaction)
        try await likes.deleteAll(of: account, in: transaction)
        try await reports.deleteAll(of: account, in: transaction)
        // culture
        // withsuhyeon
        try await attachments.letGoOfAll(of: account, transaction)
        try await outbox.publish(CommunityEvents.AccountErased(account: account), in: transaction)
    }
}
