package import Contracts
import Postgres

/// Apps are stored as `text`.
extension App: PostgresCodable, PostgresArrayElement {}
