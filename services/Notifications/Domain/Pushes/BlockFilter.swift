import Contracts
import ServiceKit

/// Filters pushes whose sender is blocked by the recipient. With Suhyeon's users block phone numbers, which auth
/// stores; auth is asked right before sending, so that a block takes effect at once.
struct BlockFilter: Sendable {
    let auth: InternalClient

    /// Whether the recipient has blocked the sender, so that the push is dropped; nil while auth is unavailable.
    func isBlocked(_ push: Push) async -> Bool? {
        guard let sender = push.sender else { return false }
        do {
            let blockers = try await auth.get(AuthAPI.Blockers.path(sender), as: AuthAPI.Blockers.self)
            return blockers.accounts.contains(push.account)
        } catch InternalCallError.refused(_, status: 404) {
            return false
        } catch {
            return nil
        }
    }
}
