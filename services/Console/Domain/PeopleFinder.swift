import Contracts
import ServiceKit

/// People as the auth service knows them.
struct PeopleFinder: Sendable {
    /// nil if the console was not given the address of the auth service.
    let auth: InternalClient?

    /// The accounts that a text may mean; none without the auth service.
    ///
    /// - Throws: `InternalCallError`.
    func find(_ text: String) async throws -> [OperatorsAPI.Person] {
        guard let auth, !text.isEmpty else { return [] }
        let path = "\(OperatorsAPI.path)?q=\(PercentEncoding.encoded(text))"
        return try await auth.get(path, as: OperatorsAPI.People.self, deadline: .seconds(2)).people
    }

    /// Takes back a withdrawal, and refills the limits of an account's sign-ins.
    ///
    /// - Returns: Whether there was a withdrawal; nil without such an account.
    /// - Throws: `InternalCallError`.
    func restore(_ restore: OperatorsAPI.Restore) async throws -> Bool? {
        guard let auth else { return nil }
        do {
            let answer: OperatorsAPI.Restore.Answer = try await auth.post(
                OperatorsAPI.Restore.path,
                restore,
                as: OperatorsAPI.Restore.Answer.self,
                repeatable: true
            )
            return answer.stays
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        }
    }

    /// Ends a session.
    ///
    /// - Returns: false if the account has no such session.
    /// - Throws: `InternalCallError`.
    func end(_ end: OperatorsAPI.End) async throws -> Bool {
        guard let auth else { return false }
        do {
            try await auth.post(OperatorsAPI.End.path, end, repeatable: true)
            return true
        } catch InternalCallError.refused(_, status: 404) {
            return false
        }
    }
}

/// Texts in the query of an address (RFC 3986, section 2.1).
enum PercentEncoding {
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
