import Contracts
import ServiceKit

/// Memberships and payslips, as the workforce service has them. All calls throw `InternalCallError`.
struct PayReader: Sendable {
    /// nil if the console was not given the address of the workforce service.
    let client: InternalClient?

    private static let deadline = Duration.seconds(2)

    private var workforce: InternalClient {
        get throws {
            guard let client else { throw InternalCallError.unavailable(ServiceName.workforce.rawValue) }
            return client
        }
    }

    /// The memberships of an account, also former ones.
    func memberships(of account: AccountID) async throws -> [OperatorsAPI.Membership] {
        let answer: OperatorsAPI.Memberships = try await workforce.get(
            "\(OperatorsAPI.Memberships.path)?account=\(account)",
            deadline: Self.deadline
        )
        return answer.memberships
    }

    /// A month of a membership; nil if there never was one.
    ///
    /// - Parameter month: `yyyy-MM`.
    func payslip(of account: AccountID, at workplace: WorkplaceID, in month: String) async throws
        -> OperatorsAPI.Payslip?
    {
        do {
            return try await workforce.get(
                "\(OperatorsAPI.Payslip.path)?account=\(account)&workplace=\(workplace)&month=\(month)",
                deadline: Self.deadline
            )
        } catch InternalCallError.refused(_, status: 404) {
            return nil
        }
    }
}
