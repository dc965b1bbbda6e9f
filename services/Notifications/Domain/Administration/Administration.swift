import Contracts
import FoundationEssentials
import InternalClient
import People
import Postgres

/// What administrators of MOUP tell its people (MOUP contract 1.4, calls 64 and 65). A repeat under the same key is told once.
struct Administration: Sendable {
    let database: PostgresClient
    let auth: InternalClient
    let people: People
    let alarms: Alarms
    let broadcasts: Broadcasts

    /// Somebody of whom auth says that they administer the app.
    ///
    /// - Throws: `NotificationsError.notAdmin`; `InternalCallError` while auth is away.
    func administrator(_ account: Int64) async throws -> Administrator {
        do {
            let member = try await auth.get(AuthAPI.Member.path(account), as: AuthAPI.Member.self)
            guard member.role == "ROLE_ADMIN" else { throw NotificationsError.notAdmin }
            return Administrator(account: account)
        } catch InternalCallError.refused(_, status: 404) {
            throw NotificationsError.notAdmin
        }
    }

    /// Tells everybody.
    ///
    /// - Parameter key: what the administrator calls this request; nil for nothing.
    /// - Throws: `NotificationsError.keyReused`.
    func announce(_ text: NoticeText, key: String?, by administrator: Administrator) async throws {
        let source = UUID(of: "announcement", by: administrator.account, key: key)
        let draft = AnnouncementDraft(app: .moup, text: text, author: administrator.account, source: source)
        _ = try await broadcasts.send(draft)
    }

    /// Tells one of them.
    ///
    /// - Parameter key: what the administrator calls this request; nil for nothing.
    /// - Throws: `NotificationsError.personNotFound`, `.keyReused`; `InternalCallError` while auth is away.
    func write(
        _ text: NoticeText,
        to receiver: Int64,
        key: String?,
        by administrator: Administrator
    ) async throws {
        guard try await isMember(receiver) else { throw NotificationsError.personNotFound }
        let draft = AlarmDraft(
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

    private func isMember(_ account: Int64) async throws -> Bool {
        do {
            return try await people.person(account).app == .moup
        } catch is PersonUnknown {
            return false
        }
    }
}

/// Somebody who may tell others what they want.
struct Administrator: Sendable, Equatable {
    let account: Int64

    fileprivate init(account: Int64) {
        self.account = account
    }
}

extension UUID {
    /// What something is called that somebody asks for: the same under the same key, or another each time.
    init(of what: String, by account: Int64, key: String?) {
        guard let key else {
            self.init()
            return
        }
        self.init(derivedFrom: [what, String(account), key])
    }
}
