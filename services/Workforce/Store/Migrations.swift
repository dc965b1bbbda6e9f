import Events
import Postgres
import ServiceDatabase

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        Migration(version: 1, name: "people", sql: PackageResources._001_people_sql),
        Migration(version: 2, name: "workplaces", sql: PackageResources._002_workplaces_sql),
        Inbox.migration(version: 3),
        Migration(version: 4, name: "shifts", sql: PackageResources._004_shifts_sql),
        Migration(version: 5, name: "pay", sql: PackageResources._005_pay_sql),
        Migration(version: 6, name: "routines", sql: PackageResources._006_routines_sql),
        Outbox.migration(version: 7),
        Migration(version: 8, name: "invite_codes", sql: PackageResources._008_invite_codes_sql),
        Migration(version: 9, name: "alarms", sql: PackageResources._009_alarms_sql),
        Migration(version: 10, name: "shift_alarms", sql: PackageResources._010_shift_alarms_sql),
        Migration(version: 11, name: "wages_by_day", sql: PackageResources._011_wages_by_day_sql),
        Migration(version: 12, name: "closing", sql: PackageResources._012_closing_sql),
        Migration(version: 13, name: "due_routines", sql: PackageResources._013_due_routines_sql),
        IdempotencyKeys.migration(version: 14),
        Outbox.retriesMigration(version: 15),
        Inbox.partitionsMigration(version: 16),
        Migration(version: 17, name: "bounds", sql: PackageResources._017_bounds_sql),
        Migration(version: 18, name: "lookup identity", sql: PackageResources._018_lookup_identity_sql),
    ]
}
