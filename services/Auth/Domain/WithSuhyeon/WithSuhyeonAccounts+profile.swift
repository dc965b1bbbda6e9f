import Contracts
import Postgres

/// Reads and changes of With Suhyeon profiles.
extension WithSuhyeonAccounts {
    /// - Throws: `WithSuhyeonError.unknown`.
    func companion(_ account: AccountID) async throws -> WithSuhyeonAccount {
        guard let companion = try await store.companion(account, in: database) else { throw WithSuhyeonError.unknown }
        return companion
    }

    /// - Throws: `WithSuhyeonError.unknown`, `.regionUnknown`.
    func setRegion(_ name: String, of account: AccountID, origin: Origin) async throws {
        guard let region = Region(name: name) else { throw WithSuhyeonError.regionUnknown }
        try await database.transaction(key: "account \(account)") { transaction in
            try await store.setRegion(region, of: account, in: transaction)
            try await announce(account, in: transaction)
            try audit.record(.profileChanged, account: account, origin: origin, in: transaction)
        }
    }

    /// Moves an account to another, verified phone number. The new number is then its sign-in.
    ///
    /// - Throws: `WithSuhyeonError.unknown`, `.phoneTaken`, `.phoneUnproved`.
    func setPhone(_ phone: PhoneNumber, of account: AccountID, origin: Origin) async throws {
        try await database.transaction(key: "account \(account)") { transaction in
            guard let companion = try await store.companion(account, in: transaction) else {
                throw WithSuhyeonError.unknown
            }
            guard companion.account.phone != phone.text else { return }
            guard try await spendProof(of: phone, for: [.signUp], origin, account: account, in: transaction) else {
                let isTaken = try await store.account(of: phone, in: transaction) != nil
                throw isTaken ? WithSuhyeonError.phoneTaken : .phoneUnproved
            }
            try await store.setPhone(phone, of: account, in: transaction)
            try audit.record(.phoneVerified, account: account, origin: origin, in: transaction)
            try audit.record(.profileChanged, account: account, origin: origin, in: transaction)
        }
    }
}
