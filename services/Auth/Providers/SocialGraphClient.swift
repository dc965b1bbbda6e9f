import Contracts
import InternalClient

/// What the community service knows of people: who follows whom, and what they have posted.
struct SocialGraphClient: Sendable {
    let community: InternalClient

    /// - Throws: `InternalCallError`.
    func circle(of account: Int64) async throws -> CommunityAPI.Circle {
        try await community.get(CommunityAPI.Circle.path(account), as: CommunityAPI.Circle.self)
    }
}
