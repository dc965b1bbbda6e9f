import Contracts
import InternalClient

/// Whether somebody wants to hear nothing of who caused a push. With Suhyeon's people block phone numbers, which auth knows;
/// it is asked at the last moment, so that a block counts from when it was made.
struct Quiet: Sendable {
    let auth: InternalClient

    /// nil while it cannot be told.
    func isWanted(_ push: Push) async -> Bool? {
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
