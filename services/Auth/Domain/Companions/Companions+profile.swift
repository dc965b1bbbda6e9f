import Contracts
import Postgres

/// What people change of their side of With Suhyeon.
extension Companions {
    /// - Throws: `CompanionError.unknown`.
    func companion(_ account: Int64) async throws -> Companion {
        guard let companion = try await store.companion(account, in: database) else { throw CompanionError.unknown }
        return companion
    }

    /// - Throws: `CompanionError.unknown`, `.regionUnknown`.
    func setRegion(_ name: String, of account: Int64, origin: Origin) async throws {
        guard let region = Region(name: name) else { throw CompanionError.regionUnknown }
        try await database.transaction { transaction in
            try await store.setRegion(region, of: account, in: transaction)
            try await announce(account, in: transaction)
            try await audit.record(.profileChanged, account: account, origin: origin, in: transaction)
        }
    }

    /// Moves an account to another phone, which must have been proved: who has the phone can sign in with it.
    ///
    /// - Throws: `CompanionError.unknown`, `.phoneTaken`, `.phoneUnproved`.
    func setPhone(_ phone: PhoneNumber, of account: Int64, origin: Origin) async throws {
        try await database.transaction { transaction in
            guard let companion = try await store.companion(account, in: transaction) else {
                throw CompanionError.unknown
            }
            guard companion.account.phone != phone.text else { return }
            guard try await phones.spendProof(of: phone, in: transaction) else {
                let isTaken = try await store.account(of: phone, in: transaction) != nil
                throw isTaken ? CompanionError.phoneTaken : .phoneUnproved
            }
            try await store.setPhone(phone, of: account, in: transaction)
            try await audit.record(.phoneVerified, account: account, origin: origin, in: transaction)
            try await audit.record(.profileChanged, account: account, origin: origin, in: transaction)
        }
    }
}
