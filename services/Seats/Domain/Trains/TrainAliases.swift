import Postgres

/// Three-digit aliases of running trains: older builds of the app take the third to fifth characters of an order key for
/// the train's code (SeatCatcher contract 3.4).
struct TrainAliases: Sendable {
    let database: PostgresClient
    private let store = TrainAliasStore()

    init(database: PostgresClient) {
        self.database = database
    }

    /// The code of a train that a client names by its code or its alias.
    ///
    /// - Throws: `SeatsError.trainCodeInvalid`.
    func train(parsing text: String) async throws -> TrainCode {
        let code = try TrainCode(parsing: text)
        guard code.mayBeAlias, let train = try await store.train(of: code.text, in: database) else { return code }
        return TrainCode(stored: train)
    }

    /// The aliases of trains, by their codes.
    func aliases(of codes: [String]) async throws -> [String: String] {
        try await store.aliases(of: codes, in: database)
    }
}

extension TrainCode {
    static let aliasLength = 3

    var mayBeAlias: Bool { text.utf8.count == Self.aliasLength && text.utf8.allSatisfy { (48...57).contains($0) } }
}
