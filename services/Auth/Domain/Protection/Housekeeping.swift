import Logging
import Postgres
import ServiceLifecycle

/// Forgets what nobody needs any more: allowances that are full again, sessions long past, notices long heard.
struct Housekeeping: Service {
    let database: PostgresClient
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await AllowanceStore().forgetFull(in: database)
                    try await SessionStore().forgetPast(in: database)
                    try await SpentTokenStore().forgetPast(in: database)
                    try await PhoneStore().forgetPast(in: database)
                    try await PendingSignUpStore.forgetPast(in: database)
                    try await ProviderNoticeStore().forgetOld(in: database)
                } catch {
                    logger.warning("what is past could not be forgotten", error: error)
                }
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}
