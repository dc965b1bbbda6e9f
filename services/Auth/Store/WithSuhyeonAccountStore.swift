import Contracts
import Postgres

/// SQL of With Suhyeon accounts.
struct WithSuhyeonAccountStore: Sendable {
    /// The account of a phone number.
    func account(of phone: PhoneNumber, in database: some Querying) async throws -> Account? {
        try await database.optional(
            """
            SELECT id, public_id, nickname, image FROM accounts
            WHERE app = 'withsuhyeon' AND phone = \(phone.text) AND withdrawn_at IS NULL
            """
        ) { row in
            let (id, publicID, nickname, image) = try row.decode(as: (AccountID, PublicID, String, String?).self)
            return Account(
                id: id,
                publicID: publicID,
                app: .withsuhyeon,
                nickname: nickname,
                image: image,
                phone: phone.text
            )
        }
    }

    func insert(_ account: AccountID, _ form: SignUpForm, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO companions (account_id, birth_year, is_male, region)
            VALUES (\(account), \(form.birthYear), \(form.isMale), \(form.region.key))
            """
        )
    }

    /// - Returns: nil for a withdrawn account, or an account of another app.
    func companion(_ account: AccountID, in database: some Querying) async throws -> WithSuhyeonAccount? {
        try await database.optional(
            """
            SELECT a.id, a.public_id, a.nickname, a.image, a.phone, c.birth_year, c.is_male, c.region
            FROM accounts a JOIN companions c ON c.account_id = a.id
            WHERE a.id = \(account) AND a.app = 'withsuhyeon' AND a.withdrawn_at IS NULL
            """
        ) { row in
            let (id, publicID, nickname, image, phone, birthYear, isMale, region) = try row.decode(
                as: (AccountID, PublicID, String, String?, String?, Int, Bool, String).self
            )
            guard let region = Region(key: region) else { return nil }
            let account = Account(
                id: id,
                publicID: publicID,
                app: .withsuhyeon,
                nickname: nickname,
                image: image,
                phone: phone
            )
            return WithSuhyeonAccount(account: account, birthYear: birthYear, isMale: isMale, region: region)
        } ?? nil
    }

    func setRegion(_ region: Region, of account: AccountID, in database: some Querying) async throws {
        try await database.execute("UPDATE companions SET region = \(region.key) WHERE account_id = \(account)")
    }

    /// - Throws: `WithSuhyeonError.phoneTaken`.
    func setPhone(_ phone: PhoneNumber, of account: AccountID, in database: some Querying) async throws {
        do {
            try await database.execute(
                "UPDATE accounts SET phone = \(phone.text) WHERE id = \(account) AND withdrawn_at IS NULL"
            )
        } catch let error as PostgresError where error.violates("accounts_withsuhyeon_phone_key") {
            throw WithSuhyeonError.phoneTaken
        }
    }
}
