import Events
import Postgres
import Profiles

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        People.migration(version: 1),
        Migration(version: 2, name: "orders", sql: PackageResources._002_orders_sql),
        Migration(version: 3, name: "payments", sql: PackageResources._003_payments_sql),
        Migration(version: 4, name: "refunds", sql: PackageResources._004_refunds_sql),
        Migration(version: 5, name: "notices", sql: PackageResources._005_notices_sql),
        Inbox.migration(version: 6),
        Outbox.migration(version: 7),
        Migration(version: 8, name: "requests", sql: PackageResources._008_requests_sql),
        Migration(version: 9, name: "checkout", sql: PackageResources._009_checkout_sql),
        Migration(version: 10, name: "comparisons", sql: PackageResources._010_comparisons_sql),
        Migration(version: 11, name: "requests", sql: PackageResources._011_requests_sql),
        Migration(version: 12, name: "reconciliation", sql: PackageResources._012_reconciliation_sql),
        Migration(version: 13, name: "webhooks", sql: PackageResources._013_webhooks_sql),
        Migration(version: 14, name: "retention", sql: PackageResources._014_retention_sql),
        Outbox.retriesMigration(version: 15),
        Inbox.partitionsMigration(version: 16),
        Migration(version: 17, name: "bounds", sql: PackageResources._017_bounds_sql),
    ]
}
