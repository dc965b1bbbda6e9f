import Contracts
import InternalClient
import ServiceHost

/// What the community service knows of people: who follows whom, and what they have posted.
struct SocialGraphClient: Sendable {
    /// nil in a house without that service: there nobody follows anybody, and nobody has posts.
    private let community: InternalClient?

    init(_ configuration: AuthConfiguration) {
        let urls = configuration.communityURLs
        community =
            urls.isEmpty
            ? nil
            : InternalClient(
                to: "community",
                at: urls,
                from: "auth",
                secret: configuration.host.internalSecret
            )
    }

    /// - Throws: `InternalCallError`.
    func circle(of account: Int64) async throws -> CommunityAPI.Circle {
        guard let community else { return CommunityAPI.Circle() }
        return try await community.get(CommunityAPI.Circle.path(account), as: CommunityAPI.Circle.self)
    }
}
