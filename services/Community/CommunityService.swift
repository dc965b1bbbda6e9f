import Logging
import ServiceHost

/// Community: what people show each other and talk about, for Anlaka, Seoul Culture and With Suhyeon.
///
/// **Owns** posts with their comments, likes and files; who follows whom; liked events and the calendar of the city's events;
/// companion posts and galleries; who has attended Anlaka's event.
///
/// **Tables** (schema `community`): `people` (from auth); `posts`, `likes`, `comments`, `reports`, `post_hashtags`; `follows`,
/// `favourites`, `purchases` (from payments); `cultural_events`, `calendar_refresh`; `companion_posts`, `gallery_items`;
/// `attendances`, `attendance_pages`; `uploads`; inbox and outbox.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed`, `auth.account-withdrawn` and `payments.purchase-changed`.
/// **Publishes** `community.account-erased`, for chat `community.companion-post-deleted`, and for notifications
/// `community.comment-written` and `community.followed`. **Answers** other processes below `/internal` (`CommunityAPI`):
/// circles, offers, files, companion posts.
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
/// **Liked events.** Seoul Culture's app keeps an event that somebody likes as a post, known by its product id. Here that is a
/// row of its own (`Domain/Favourites`) behind the calls for posts, which nobody but its owner is shown; its id comes from the
/// posts' sequence, so that one cursor leads through both (`Domain/Culture/CulturePosts+lists.swift`).
///
/// **The calendar** of the city is fetched once a day (`Domain/Calendar/CalendarRefresh.swift`) and served from here, to the
/// app in the city's own path shape and to new clients in ours; while the city is away, the last complete one stays.
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
