import Events
import Files
import Postgres

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        Migration(version: 1, name: "people", sql: PackageResources._001_people_sql),
        Migration(version: 2, name: "listings", sql: PackageResources._002_listings_sql),
        Inbox.migration(version: 3),
        Outbox.migration(version: 4),
        Migration(version: 5, name: "comments", sql: PackageResources._005_comments_sql),
        Migration(version: 6, name: "home", sql: PackageResources._006_home_sql),
        Migration(version: 7, name: "places", sql: PackageResources._007_places_sql),
        Uploads.migration(version: 8),
        Migration(version: 9, name: "people of all shapes", sql: PackageResources._009_people_sql),
        Migration(version: 10, name: "place requests", sql: PackageResources._010_place_requests_sql),
        Migration(version: 11, name: "hot listings", sql: PackageResources._011_hot_listings_sql),
        Outbox.retriesMigration(version: 12),
        Inbox.partitionsMigration(version: 13),
        Migration(version: 14, name: "bounds", sql: PackageResources._014_bounds_sql),
        Migration(version: 15, name: "like changes", sql: PackageResources._015_like_changes_sql),
        Migration(version: 16, name: "count identity", sql: PackageResources._016_count_identity_sql),
        Migration(version: 17, name: "listing entries", sql: PackageResources._017_listing_entries_sql),
        Migration(version: 18, name: "listings without entry", sql: PackageResources._018_listings_without_entry_sql),
        Migration(version: 19, name: "listings nearby", sql: PackageResources._019_listings_nearby_sql),
        Migration(
            version: 20,
            name: "listings with long entry",
            sql: PackageResources._020_listings_with_long_entry_sql
        ),
        Migration(version: 21, name: "vacuum of listings", sql: PackageResources._021_listings_vacuum_sql),
    ]
}
