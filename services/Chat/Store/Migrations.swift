import Events
import Files
import Postgres
import Profiles

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        People.migration(version: 1),
        Migration(version: 2, name: "rooms", sql: PackageResources._002_rooms_sql),
        Migration(version: 3, name: "messages", sql: PackageResources._003_messages_sql),
        Migration(version: 4, name: "blocks", sql: PackageResources._004_blocks_sql),
        Migration(version: 5, name: "presences", sql: PackageResources._005_presences_sql),
        Inbox.migration(version: 6),
        Outbox.migration(version: 7),
        Uploads.migration(version: 8),
        Migration(version: 9, name: "joined", sql: PackageResources._009_joined_sql),
        Migration(version: 10, name: "text_limits", sql: PackageResources._010_text_limits_sql),
        Migration(version: 11, name: "socket_copies", sql: PackageResources._011_socket_copies_sql),
        Outbox.retriesMigration(version: 12),
        Inbox.partitionsMigration(version: 13),
        Migration(version: 14, name: "bounds", sql: PackageResources._014_bounds_sql),
        Migration(version: 15, name: "revoked_sessions", sql: PackageResources._015_revoked_sessions_sql),
        Migration(version: 16, name: "socket_order", sql: PackageResources._016_socket_order_sql),
    ]
}
