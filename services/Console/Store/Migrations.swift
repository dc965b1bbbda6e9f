import Postgres

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        Migration(version: 1, name: "traces", sql: PackageResources._001_traces_sql),
        Migration(version: 2, name: "operators", sql: PackageResources._002_operators_sql),
        Migration(version: 3, name: "statements", sql: PackageResources._003_statements_sql),
        Migration(version: 4, name: "span counts", sql: PackageResources._004_span_counts_sql),
    ]
}
