import Logging
import Postgres
import ServiceLifecycle

/// Background job that deletes expired rows: full rate limit buckets, old sessions, spent tokens, phone codes, pending
/// sign-ups and handled webhooks.
struct CleanupJob: Service {
    let database: PostgresClient
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await RateLimitStore().forgetFull(in: database)
                    try await SessionStore().forgetPast(in: database)
                    try await SpentTokenStore().forgetPast(in: database)
                    try await PhoneStore().forgetPast(in: database)
                    try await PendingSignUpStore.forgetPast(in: database)
                    try await ProviderWebhookStore().forgetOld(in: database)
                } catch {
                    logger.warning("cleanup: deleting expired rows failed, will retry", error: error)
                }
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}
