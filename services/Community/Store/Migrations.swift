import Events
import Files
import Postgres
import Profiles

/// The migrations of this service, oldest first.
enum Migrations {
    static let all = [
        People.migration(version: 1),
        Migration(version: 2, name: "posts", sql: PackageResources._002_posts_sql),
        Inbox.migration(version: 3),
        Outbox.migration(version: 4),
        Uploads.migration(version: 5),
        Migration(version: 6, name: "reports", sql: PackageResources._006_reports_sql),
        Migration(version: 7, name: "nearby", sql: PackageResources._007_nearby_sql),
        Migration(version: 8, name: "search", sql: PackageResources._008_search_sql),
        Migration(version: 9, name: "circles", sql: PackageResources._009_circles_sql),
        Migration(version: 10, name: "favourites", sql: PackageResources._010_favourites_sql),
        Migration(version: 11, name: "calendar", sql: PackageResources._011_calendar_sql),
        Migration(version: 12, name: "companion posts", sql: PackageResources._012_companion_posts_sql),
        Migration(version: 13, name: "gallery", sql: PackageResources._013_gallery_sql),
        Migration(version: 14, name: "attendance", sql: PackageResources._014_attendance_sql),
        Migration(version: 15, name: "reviews", sql: PackageResources._015_reviews_sql),
        Outbox.retriesMigration(version: 16),
        Inbox.partitionsMigration(version: 17),
        Migration(version: 18, name: "bounds", sql: PackageResources._018_bounds_sql),
        Migration(version: 19, name: "like changes", sql: PackageResources._019_like_changes_sql),
    ]
}
