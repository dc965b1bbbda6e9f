import Logging
import ServiceHost

/// Community: what people show each other and talk about, for Anlaka, Seoul Culture and With Suhyeon.
///
/// **Owns** posts with their comments, likes and files; who follows whom; liked events and the calendar of the city's events;
/// companion posts and galleries; who has attended Anlaka's event.
///
/// **Tables** (schema `community`): `people` (from auth); `posts`, `likes`, `comments`, `reports`; `companion_posts`,
/// `gallery_items`; `attendances`, `attendance_pages`; `uploads`; inbox and outbox.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed` and `auth.account-withdrawn`. **Publishes**
/// `community.account-erased` and, for chat, `community.companion-post-deleted`.
///
/// **One domain, three wires.** A post is the same thing in Anlaka and in Seoul Culture (`Domain/Posts`), with the fields that
/// its app knows; `Routes/Anlaka`, `Routes/Culture` and `Routes/WithSuhyeon` write it as their app reads it. Every row says
/// whose app it is, and no question reaches the rows of another.
///
/// **Lists** are read in two steps: an index gives the ids of a page, and then one statement all that is shown of them. So a
/// page costs the same however deep it is.
///
/// **Nearby**: every post knows its cell in each of four grids over the globe (`Domain/Nearby/GridCell.swift`), and indexes
/// have each cell's posts in the order of the list. A page merges the first of the cells that the circle touches
/// (`Posts+nearby.swift`); it costs the same in a city of a million posts as in the country. **Titles** are searched by their
/// characters and pairs of characters (`Posts+search.swift`).
///
/// **Reports** hide a post from who has reported it at once, and from all but its author after a few (`Domain/Reports`).
///
/// **Files** are kept by `shared/Uploads`: for a day, and then for as long as a post names them.
///
/// **Companions** (`Domain/Companions`) are hidden from those whose phone number their author has blocked: auth is asked for
/// that with every list, and while it is away there is none. When a post is over is never stored.
///
/// **Attendance** (`Domain/Attendance`): the page works with a token of its own that is good once; the database lets nobody
/// attend twice a day.
///
/// Every URL is in `Routes/Routes.swift`; `CommunityService+build.swift` puts the pieces together.
@main
struct CommunityService {
    static func main() async {
        await ServiceHost.run(
            "community",
            read: { try CommunityConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildCommunity($0, logger: $1) }
        )
    }
}
