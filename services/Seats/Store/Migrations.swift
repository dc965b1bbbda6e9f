import Outbox
import Postgres

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        Migration(version: 1, name: "stations", sql: PackageResources._001_stations_sql),
        Migration(version: 2, name: "passengers", sql: PackageResources._002_passengers_sql),
        Inbox.migration(version: 3),
        Migration(version: 4, name: "sightings", sql: PackageResources._004_sightings_sql),
    ]
}
