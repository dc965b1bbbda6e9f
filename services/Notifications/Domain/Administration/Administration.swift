import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// Announcements and notifications by MOUP's administrators (MOUP contract 1.4, calls 64 and 65). Idempotent per key.
struct Administration: Sendable {
    let database: PostgresClient
    let auth: InternalClient
    let people: People
    let alarms: InAppNotifications
    let broadcasts: Broadcasts

    /// An account with the administrator role, according to auth.
    ///
    /// - Throws: `NotificationsError.notAdmin`; `InternalCallError` while auth is unavailable.
    func administrator(_ account: AccountID) async throws -> Administrator {
        do {
            let member = try await auth.get(AuthAPI.Member.path(account), as: AuthAPI.Member.self)
            guard member.role == "ROLE_ADMIN" else { throw NotificationsError.notAdmin }
            return Administrator(account: account)
        } catch InternalCallError.refused(_, status: 404) {
            throw NotificationsError.notAdmin
        }
    }

    /// Sends an announcement to all users of the app.
    ///
    /// - Parameter key: Idempotency key of the request, if any.
    /// - Throws: `NotificationsError.keyReused`.
    func announce(_ text: NotificationText, key: String?, by administrator: Administrator) async throws {
        let source = UUID(of: "announcement", by: administrator.account, key: key)
        let draft = AnnouncementDraft(app: .moup, text: text, author: administrator.account, source: source)
        _ = try await broadcasts.send(draft)
    }

    /// Sends a notification to one user of the app.
    ///
    /// - Parameter key: Idempotency key of the request, if any.
    /// - Throws: `NotificationsError.personNotFound`, `.keyReused`; `InternalCallError` while auth is unavailable.
    func write(
        _ text: NotificationText,
        to receiver: AccountID,
        key: String?,
        by administrator: Administrator
    ) async throws {
        guard try await isMember(receiver) else { throw NotificationsError.personNotFound }
        let draft = InAppNotificationDraft(
            app: .moup,
            account: receiver,
            sender: administrator.account,
            kind: PushKind.adminMessage,
            title: text.title,
            body: text.content ?? "",
            idKey: "notificationId",
            source: UUID(of: "message", by: administrator.account, key: key)
        )
        try await database.transaction { transaction in
            let isNew = try await !alarms.tell([draft], in: transaction).isEmpty
            if isNew { return }
            guard try await alarms.isSame(draft, in: transaction) else { throw NotificationsError.keyReused }
        }
    }

    private func isMember(_ account: AccountID) async throws -> Bool {
        do {
            return try await people.person(account).app == .moup
        } catch is PersonUnknown {
            return false
        }
    }
}

/// An account whose administrator role has been verified.
struct Administrator: Sendable, Equatable {
    let account: AccountID

    fileprivate init(account: AccountID) {
        self.account = account
    }
}

extension UUID {
    /// The source ID of a request: derived from its idempotency key, or random without one.
    init(of what: String, by account: AccountID, key: String?) {
        guard let key else {
            self.init()
            return
        }
        self.init(derivedFrom: [what, String(account), key])
    }
}
