package import Contracts
import Postgres

/// Apps are `text`.
extension App: PostgresCodable, PostgresArrayElement {}
