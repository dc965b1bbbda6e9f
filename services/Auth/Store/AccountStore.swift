import Contracts
import Files
import Postgres

/// SQL of accounts, passwords and tags.
struct AccountStore: Sendable {
    func account(email: EmailAddress, app: App, in database: some Querying) async throws -> Account? {
        try await database.optional(
            "SELECT \(Self.columns) FROM accounts a WHERE a.app = \(app.rawValue) AND a.email = \(email.text)",
            { Account(try $0.decode(as: Account.Columns.self)) }
        )
    }

    func credentials(
        email: EmailAddress,
        app: App,
        in database: some Querying
    ) async throws -> (account: Account, hash: String)? {
        try await database.optional(
            """
            SELECT \(Self.columns), p.hash FROM accounts a JOIN passwords p ON p.account_id = a.id
            WHERE a.app = \(app.rawValue) AND a.email = \(email.text)
            """
        ) { row in
            let (id, publicID, app, name, image, email, phone, introduction, onboarded, hash) = try row.decode(
                as: (AccountID, PublicID, App, String, String?, String?, String?, String?, Bool, String).self
            )
            return (Account((id, publicID, app, name, image, email, phone, introduction, onboarded)), hash)
        }
    }

    func account(linkedTo identity: SocialIdentity, app: App, in database: some Querying) async throws -> Account? {
        try await database.optional(
            """
            SELECT \(Self.columns) FROM accounts a JOIN social_links l ON l.account_id = a.id
            WHERE l.app = \(app.rawValue) AND l.provider = \(identity.provider.rawValue)
              AND l.subject = \(identity.subject)
            """,
            { Account(try $0.decode(as: Account.Columns.self)) }
        )
    }

    /// - Throws: `AccountError.emailTaken`, `.nicknameTaken`.
    func insert(_ new: NewAccount, in database: some Querying) async throws -> Account {
        do {
            return try await database.one(
                """
                INSERT INTO accounts AS a (public_id, app, nickname, image, email, phone, introduction, birth_day)
                VALUES (\(new.publicID), \(new.app.rawValue), \(new.nickname), \(new.image), \(new.email?.text),
                        \(new.phone), \(new.introduction), \(new.birthDay))
                RETURNING \(Self.columns)
                """,
                { Account(try $0.decode(as: Account.Columns.self)) }
            )
        } catch let error as PostgresError where error.violates("accounts_app_email_key") {
            throw AccountError.emailTaken
        } catch let error as PostgresError where error.violates("accounts_culture_nickname_key") {
            throw AccountError.nicknameTaken
        }
    }

    func setPassword(_ hash: String, account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO passwords (account_id, hash) VALUES (\(account), \(hash))
            ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash
            """
        )
    }

    func profile(account: AccountID, in database: some Querying) async throws -> Profiles.Profile? {
        try await database.optional(
            """
            SELECT \(Self.columns), ARRAY(SELECT tag FROM account_tags t WHERE t.account_id = a.id ORDER BY tag),
                a.birth_day
            FROM accounts a WHERE a.id = \(account) AND a.withdrawn_at IS NULL
            """
        ) { row in
            let (id, publicID, app, name, image, email, phone, introduction, onboarded, tags, birthDay) =
                try row.decode(
                    as: (AccountID, PublicID, App, String, String?, String?, String?, String?, Bool, [String], String?)
                        .self
                )
            return Profiles.Profile(
                account: Account((id, publicID, app, name, image, email, phone, introduction, onboarded)),
                tags: tags,
                birthDay: birthDay
            )
        }
    }

    func apply(_ change: SeatCatcherProfile.Change, to account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE accounts SET nickname = coalesce(\(change.nickname), nickname),
                image = coalesce(\(change.image), image), onboarded = coalesce(\(change.onboarded), onboarded)
            WHERE id = \(account) AND withdrawn_at IS NULL
            """
        )
        guard let tags = change.tags.map(Array.init) else { return }
        try await database.execute("DELETE FROM account_tags WHERE account_id = \(account) AND tag <> ALL(\(tags))")
        try await database.execute(
            """
            INSERT INTO account_tags (account_id, tag)
            SELECT a.id, tag FROM accounts a, unnest(\(tags)) AS tag
            WHERE a.id = \(account) AND a.withdrawn_at IS NULL ON CONFLICT DO NOTHING
            """
        )
    }

    /// - Throws: `AccountError.nicknameTaken`.
    func apply(_ edit: ProfileEdit, to account: AccountID, in transaction: PostgresTransaction) async throws {
        do {
            try await transaction.execute(
                """
                UPDATE accounts SET nickname = coalesce(\(edit.nickname), nickname),
                    introduction = nullif(coalesce(\(edit.introduction), introduction), ''),
                    phone = nullif(coalesce(\(edit.phone), phone), ''),
                    birth_day = nullif(coalesce(\(edit.birthDay), birth_day), ''),
                    image = nullif(coalesce(\(edit.image), image), '')
                WHERE id = \(account) AND withdrawn_at IS NULL
                """
            )
        } catch let error as PostgresError where error.violates("accounts_culture_nickname_key") {
            throw AccountError.nicknameTaken
        }
    }

    /// Whether an account belongs to an app and is not withdrawn; it cannot be withdrawn before the transaction ends.
    func lock(_ account: AccountID, app: App, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.optional(
            """
            SELECT 1 FROM accounts WHERE id = \(account) AND app = \(app.rawValue) AND withdrawn_at IS NULL FOR SHARE
            """
        ) { try $0.decode(Int.self) } != nil
    }

    /// Anonymizes an account and deletes its dependent rows; the account's row stays locked until the transaction ends.
    ///
    /// - Returns: false when there is no such account, or it is already withdrawn.
    func withdraw(_ account: AccountID, app: App, in transaction: PostgresTransaction) async throws -> Bool {
        for table in ["phone_codes", "phone_proofs"] as [SQL] {
            try await transaction.execute(
                """
                DELETE FROM \(table) WHERE phone = (
                    SELECT phone FROM accounts WHERE id = \(account) AND app = 'withsuhyeon')
                """
            )
        }
        let withdrawn = try await transaction.execute(
            """
            UPDATE accounts SET withdrawn_at = now(), leaving_at = coalesce(leaving_at, now()), nickname = '', image = NULL,
                email = NULL, phone = NULL, introduction = NULL, birth_day = NULL, onboarded = false, signed_in_at = NULL
            WHERE id = \(account) AND app = \(app.rawValue) AND withdrawn_at IS NULL
            """
        )
        guard withdrawn == 1 else { return false }
        try await transaction.execute("DELETE FROM social_links WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM passwords WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM moup_members WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM companions WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM pending_sign_ups WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM blocked_numbers WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM account_tags WHERE account_id = \(account)")
        try await UploadStore().expireAll(of: account, in: transaction)
        return true
    }

    /// The columns of `Account.Columns`.
    static let columns: SQL = """
        a.id, a.public_id, a.app, a.nickname, a.image, a.email, a.phone, a.introduction, a.onboarded
        """
}

extension Account {
    /// Id, public id, app, nickname, image, e-mail address, phone number, introduction, onboarded.
    typealias Columns = (AccountID, PublicID, App, String, String?, String?, String?, String?, Bool)

    init(_ columns: Columns) {
        self.init(
            id: columns.0,
            publicID: columns.1,
            app: columns.2,
            nickname: columns.3,
            image: columns.4,
            email: columns.5.map(EmailAddress.init(stored:)),
            phone: columns.6,
            introduction: columns.7,
            onboarded: columns.8
        )
    }
}
