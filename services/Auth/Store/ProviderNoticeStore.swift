import Postgres

/// All SQL of what providers tell us.
struct ProviderNoticeStore: Sendable {
    /// - Returns: false when it was heard before.
    func insert(_ id: String, in database: some Querying) async throws -> Bool {
        try await database.execute("INSERT INTO provider_notices (id) VALUES (\(id)) ON CONFLICT DO NOTHING") == 1
    }

    /// Forgets notices so old that they are not repeated.
    func forgetOld(in database: some Querying) async throws {
        try await database.execute("DELETE FROM provider_notices WHERE received_at < now() - interval '90 days'")
    }
}
