import Events
import Postgres
import ServiceDatabase

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        Migration(version: 1, name: "stations", sql: PackageResources._001_stations_sql),
        Migration(version: 2, name: "passengers", sql: PackageResources._002_passengers_sql),
        Inbox.migration(version: 3),
        Migration(version: 4, name: "sightings", sql: PackageResources._004_sightings_sql),
        Migration(version: 5, name: "people", sql: PackageResources._005_people_sql),
        Migration(version: 6, name: "cars", sql: PackageResources._006_cars_sql),
        Migration(version: 7, name: "credits", sql: PackageResources._007_credits_sql),
        Migration(version: 8, name: "journeys", sql: PackageResources._008_journeys_sql),
        Migration(version: 9, name: "seating", sql: PackageResources._009_seating_sql),
        Migration(version: 10, name: "live", sql: PackageResources._010_live_sql),
        Outbox.migration(version: 11),
        Migration(version: 12, name: "days", sql: PackageResources._012_days_sql),
        Migration(version: 13, name: "debts", sql: PackageResources._013_debts_sql),
        Migration(version: 14, name: "trains", sql: PackageResources._014_trains_sql),
        Migration(version: 15, name: "aliases", sql: PackageResources._015_aliases_sql),
        IdempotencyKeys.migration(version: 16),
        Migration(version: 17, name: "arrivals", sql: PackageResources._017_arrivals_sql),
        Migration(version: 18, name: "retention", sql: PackageResources._018_retention_sql),
        Outbox.retriesMigration(version: 19),
        Migration(version: 20, name: "message partitions", sql: PackageResources._020_message_partitions_sql),
        Inbox.partitionsMigration(version: 21),
        Migration(version: 22, name: "bounds", sql: PackageResources._022_bounds_sql),
        Migration(version: 23, name: "message identity", sql: PackageResources._023_message_identity_sql),
        Migration(version: 24, name: "message traces", sql: PackageResources._024_message_traces_sql),
    ]
}
