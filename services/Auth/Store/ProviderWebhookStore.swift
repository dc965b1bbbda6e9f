import Postgres
import ServiceDatabase

/// SQL of handled provider webhooks.
struct ProviderWebhookStore: Sendable {
    /// - Returns: false when the webhook was already handled.
    func insert(_ id: String, in database: some Querying) async throws -> Bool {
        try await database.execute("INSERT INTO provider_notices (id) VALUES (\(id)) ON CONFLICT DO NOTHING") == 1
    }

    /// Deletes ids of webhooks that providers no longer redeliver.
    func forgetOld(in database: PostgresClient) async throws {
        try await database.prune("provider_notices", where: "received_at < now() - interval '90 days'")
    }
}
