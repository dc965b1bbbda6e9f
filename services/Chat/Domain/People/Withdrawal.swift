import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles

/// Removes data when an account is withdrawn or a companion post is deleted. Idempotent.
///
/// Anlaka's rooms stay for the other member, with all messages and a withdrawn sender. With Suhyeon's client promises
/// that everything is deleted, so its rooms are deleted for both members.
struct Withdrawal: Sendable {
    let people: People
    let attachments: Attachments
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let rooms = RoomStore()
    private let blocks = BlockStore()
    private let joined = RoomMembershipStore()

    func withdraw(_ account: AccountID, of app: App, in transaction: PostgresTransaction) async throws {
        try await people.withdraw(account, of: app, at: now(), in: transaction)
        try await blocks.deleteAll(of: account, in: transaction)
        if app == .withsuhyeon {
            try await end(await rooms.lock(of: account, in: transaction), transaction)
            try await joined.delete(account, in: transaction)
        }
        try await attachments.letGoOfAll(of: account, keepingSent: app == .anlaka, transaction)
        transaction.announce([.accountWithdrawn(account)])
        try outbox.publish(ChatEvents.AccountErased(account: account), in: transaction)
    }

    /// Deletes the rooms of a deleted companion post (With Suhyeon contract 2.5).
    func forget(post: CompanionPostID, in transaction: PostgresTransaction) async throws {
        try await end(await rooms.lock(post: post, in: transaction), transaction)
    }

    /// Deletes locked rooms.
    func end(_ ended: [Room], _ transaction: PostgresTransaction) async throws {
        guard !ended.isEmpty else { return }
        try await rooms.delete(ended.map(\.id), in: transaction)
        transaction.announce(ended.map { .roomDeleted($0.id, accounts: $0.accounts) })
        let events = ended.map { ChatEvents.RoomEnded(app: $0.app, room: $0.publicID, accounts: $0.accounts) }
        try outbox.publish(events, in: transaction)
    }
}
