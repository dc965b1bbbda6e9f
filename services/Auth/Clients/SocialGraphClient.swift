import Contracts
import ServiceKit

/// Client of the community service for followers and posts of users.
struct SocialGraphClient: Sendable {
    let community: InternalClient

    /// - Throws: `InternalCallError`.
    func circle(of account: AccountID) async throws -> CommunityAPI.Circle {
        try await community.get(CommunityAPI.Circle.path(account), as: CommunityAPI.Circle.self)
    }
}
