import Files
import Postgres
import ServiceDatabase
import ServiceKit

extension AuthDomain {
    /// Due withdrawals and their steps, the deletion of expired rows (full rate limit buckets, old sessions, spent
    /// tokens, phone codes, pending sign-ups and handled webhooks), of old records and of unused files.
    func jobs(_ database: PostgresClient) -> [PeriodicJob] {
        [
            PeriodicJob("withdrawals") { try await withdrawal.beginNext() },
            PeriodicJob("steps of withdrawals") { try await steps.takeNext() },
            PeriodicJob("expired rows", every: .seconds(60)) {
                try await RateLimitStore().forgetFull(in: database)
                try await SessionStore().forgetPast(in: database)
                try await SpentTokenStore().forgetPast(in: database)
                try await PhoneStore().forgetPast(in: database)
                try await PendingSignUpStore.forgetPast(in: database)
                try await ProviderWebhookStore().forgetOld(in: database)
                return false
            },
            PeriodicJob("old records", every: .seconds(3600)) {
                try await WithdrawalStore().forgetSteps(in: database)
                try await AuditStore.partitions.maintain(database)
                return false
            },
            images.uploads.collection,
        ]
    }
}
