import Events
import Postgres

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        Migration(version: 1, name: "accounts", sql: PackageResources._001_accounts_sql),
        Migration(version: 2, name: "sessions", sql: PackageResources._002_sessions_sql),
        Migration(version: 3, name: "signing_keys", sql: PackageResources._003_signing_keys_sql),
        Outbox.migration(version: 4),
        Migration(version: 5, name: "withdrawal", sql: PackageResources._005_withdrawal_sql),
        Migration(version: 6, name: "families", sql: PackageResources._006_families_sql),
        Migration(version: 7, name: "leaving", sql: PackageResources._007_leaving_sql),
        Migration(version: 8, name: "moup", sql: PackageResources._008_moup_sql),
        Migration(version: 9, name: "withsuhyeon", sql: PackageResources._009_withsuhyeon_sql),
        Migration(version: 10, name: "uploads", sql: PackageResources._010_uploads_sql),
        Inbox.migration(version: 11),
        Migration(version: 12, name: "allowances", sql: PackageResources._012_allowances_sql),
        Migration(version: 13, name: "phone_proofs", sql: PackageResources._013_phone_proofs_sql),
        Migration(version: 14, name: "text_limits", sql: PackageResources._014_text_limits_sql),
        Migration(version: 15, name: "forwarders", sql: PackageResources._015_forwarders_sql),
        Outbox.retriesMigration(version: 16),
        Inbox.partitionsMigration(version: 17),
        Migration(version: 18, name: "audit_partitions", sql: PackageResources._018_audit_partitions_sql),
        Migration(version: 19, name: "bounds", sql: PackageResources._019_bounds_sql),
        Migration(version: 20, name: "audit identity", sql: PackageResources._020_audit_identity_sql),
        Migration(version: 21, name: "phone search", sql: PackageResources._021_phone_search_sql),
    ]
}
