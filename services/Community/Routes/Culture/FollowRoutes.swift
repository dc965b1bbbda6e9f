import Contracts
import HTTPTypes
import Hummingbird
import Profiles
import ServiceKit

/// Follows between users (contract 2, calls 21 and 22).
struct FollowRoutes {
    let follows: Follows

    struct FollowResponse: Encodable {
        var nick: String
        var opponentNick: String
        var followingStatus: Bool

        enum CodingKeys: String, CodingKey {
            case nick
            case opponentNick = "opponent_nick"
            case followingStatus = "following_status"
        }
    }

    /// `POST /v1/follow/{user_id}` → 200; idempotent. 400 for the caller's own ID, 410 for an unknown user.
    func follow(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await set(true, context)
    }

    /// `DELETE /v1/follow/{user_id}` → 200, with the same errors.
    func unfollow(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await set(false, context)
    }

    private func set(_ isFollowing: Bool, _ context: SignedInContext) async throws -> Response {
        let id = try PublicID(parsing: context.parameters.require("userId"), else: CommunityError.personNotFound)
        let (person, other) = try await follows.set(isFollowing, id, by: context.account)
        return try .json(
            FollowResponse(
                nick: person.shownName,
                opponentNick: other.shownName,
                followingStatus: isFollowing
            )
        )
    }
}
