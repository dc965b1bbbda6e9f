import Events
import Postgres
import Profiles

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        People.migration(version: 1),
        Migration(version: 2, name: "devices", sql: PackageResources._002_devices_sql),
        Migration(version: 3, name: "pushes", sql: PackageResources._003_pushes_sql),
        Migration(version: 4, name: "conversations", sql: PackageResources._004_conversations_sql),
        Migration(version: 5, name: "alarms", sql: PackageResources._005_alarms_sql),
        Inbox.migration(version: 6),
        Outbox.migration(version: 7),
        Migration(version: 8, name: "unread_numbers", sql: PackageResources._008_unread_numbers_sql),
        Migration(version: 9, name: "retention", sql: PackageResources._009_retention_sql),
        Outbox.retriesMigration(version: 10),
        Inbox.partitionsMigration(version: 11),
        Migration(version: 12, name: "bounds", sql: PackageResources._012_bounds_sql),
        Migration(version: 13, name: "push_traces", sql: PackageResources._013_push_traces_sql),
    ]
}
