import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Internal lookup of MOUP accounts.
struct MOUPMemberRoutes {
    let members: MOUPMembers

    /// `GET /internal/members/{account}` → 200; 404 for an unknown or withdrawn account.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = context.id("account", as: AccountID.self) else {
            throw Problem(.badParameter, message: "account must be an id.")
        }
        let member: MOUPMember
        do {
            member = try await members.member(account)
        } catch is MOUPMemberError {
            throw Problem(.notFound, message: "There is no such member.")
        } catch AccountError.accountLeaving {
            throw Problem(.notFound, message: "This member is leaving.")
        }
        return try .json(
            AuthAPI.Member(
                nickname: member.account.nickname,
                image: member.account.image,
                role: member.isRegistered ? member.role?.rawValue : nil
            )
        )
    }
}
