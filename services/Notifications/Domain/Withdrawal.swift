import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles

/// Removes all data of a withdrawn account. Idempotent.
struct Withdrawal: Sendable {
    let people: People
    let devices: Devices
    let conversations: Conversations
    let alarms: InAppNotifications
    let announcements: Announcements
    let preferences: Preferences
    let outbox: Outbox
    let now: @Sendable () -> Date

    func withdraw(_ account: AccountID, of app: App, in transaction: PostgresTransaction) async throws {
        let name = try await alarms.lockedNickname(of: account, in: transaction)
        try await people.withdraw(account, of: app, at: now(), in: transaction)
        try await devices.forget(account, in: transaction)
        try await conversations.forget(account, in: transaction)
        try await alarms.forget(account, named: name, in: transaction)
        try await announcements.forget(account, in: transaction)
        try await preferences.forget(account, in: transaction)
        try outbox.publish(NotificationsEvents.AccountErased(account: account), in: transaction)
    }
}
