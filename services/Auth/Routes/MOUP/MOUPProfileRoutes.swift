import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// MOUP's profile of the signed-in user, sign-out and withdrawal (contract 1.4, calls 4, 5, 7 and 8).
struct MOUPProfileRoutes {
    let members: MOUPMembers
    let sessions: Sessions
    let withdrawal: Withdrawal

    struct ProfileResponse: Encodable {
        var userId: AccountID
        /// The nickname until a sign-in brings a name; empty before registration. The app declares it as a value.
        var username: String
        var nickname: String?
        var profileImg: String?
        var role: String
        var createdAt: String

        /// Encodes every key; fields without a value are null.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(userId, forKey: .userId)
            try container.encode(username, forKey: .username)
            try container.encode(nickname, forKey: .nickname)
            try container.encode(profileImg, forKey: .profileImg)
            try container.encode(role, forKey: .role)
            try container.encode(createdAt, forKey: .createdAt)
        }

        enum CodingKeys: String, CodingKey {
            case userId, username, nickname, profileImg, role, createdAt
        }
    }

    struct NicknameRequest: Decodable {
        var nickname: String
    }

    struct NicknameResponse: Encodable {
        var userId: AccountID
        var nickname: String
    }

    struct UserResponse: Encodable {
        var userId: AccountID
    }

    struct LeavingResponse: Encodable {
        var userId: AccountID
        var deletedAt: String
        // The API documents name the key `isDeleted`, responses contain `deleted`: both are sent.
        var deleted = true
        var isDeleted = true
    }

    /// `GET /users/profiles` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let member = try await members.member(context.account)
        return try .json(
            ProfileResponse(
                userId: member.account.id,
                username: member.username ?? member.account.nickname,
                nickname: member.isRegistered ? member.account.nickname : nil,
                profileImg: member.account.image,
                // The app requires a role; before registration it is the most common one.
                role: (member.role ?? .worker).rawValue,
                createdAt: Self.local(member.createdAt, separator: " ")
            )
        )
    }

    /// `PATCH /users/nickname` → 200.
    func rename(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(NicknameRequest.self, context)
        let member = try await members.rename(context.account, to: body.nickname, origin: Origin(request, context))
        return try .json(NicknameResponse(userId: member.account.id, nickname: member.account.nickname))
    }

    /// `PATCH /users/logout` → 200. Ending the session also removes its push token, so the `fcmToken` of later app
    /// versions is ignored.
    func logout(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try await members.member(context.account)
        try await sessions.revoke(
            context.session,
            of: context.account,
            app: context.app,
            current: context.session,
            origin: Origin(request, context)
        )
        return try .json(UserResponse(userId: context.account))
            .ending([sessions.revocation(of: context.session, in: context.app)])
    }

    /// `DELETE /users` → 200; the account is deleted in three days, unless its owner signs in before.
    func leave(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try await members.member(context.account)
        let origin = Origin(request, context)
        let leaving = try await withdrawal.request(context.account, app: context.app, origin: origin)
        return try .json(
            LeavingResponse(
                userId: context.account,
                deletedAt: Self.local(leaving.requestedAt, separator: "T")
            )
        ).ending(leaving.ended)
    }

    /// A time in Korean local time (UTC+9, no daylight saving): `2025-10-11 17:30:00`.
    private static func local(_ time: Date, separator: Character) -> String {
        let seoul = (time + 9 * 3600).formatted(.iso8601)
        return String(seoul.dropLast().map { $0 == "T" ? separator : $0 })
    }
}
