import Logging
import ServiceKit

/// Community: posts and social features of Anlaka, Seoul Culture and With Suhyeon.
///
/// **Owns** posts with their comments, likes and files; follows; liked events and the calendar of the city's events;
/// companion posts and galleries; attendances of Anlaka's event.
///
/// **Tables** (schema `community`): `people` (from auth); `posts`, `likes`, `like_changes`, `comments`, `reports`,
/// `post_hashtags`; `follows`, `favourites`, `purchases` (from payments); `cultural_events`, `calendar_refresh`;
/// `companion_posts`, `gallery_items`; `attendances`, `attendance_totals`, `attendance_pages`; `uploads`; inbox and outbox.
/// A comment on each table says what bounds it.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed`, `auth.account-withdrawn` and
/// `payments.purchase-changed`. **Publishes** `community.account-erased`, for chat `community.companion-post-deleted`,
/// and for notifications `community.comment-written` and `community.followed`. **Answers** other services below
/// `/internal` (`CommunityAPI`): circles, offers, files, companion posts.
///
/// **One domain, three formats.** Anlaka and Seoul Culture share one model of posts (`Domain/Posts`), with the fields
/// of both apps; `Routes/Anlaka`, `Routes/Culture` and `Routes/WithSuhyeon` encode the format of their app. Every row
/// belongs to one app, and no query reads the rows of another.
///
/// **Lists** are read in two steps: an index gives the IDs of a page, and one statement reads their content. The cost
/// of a page does not depend on its depth.
///
/// **Nearby posts**: every post has its cell in each of four grids over the globe (`Domain/Nearby/GridCell.swift`), and
/// indexes have each cell's posts in list order. A page merges the first posts of the cells that the circle touches
/// (`Posts+nearby.swift`); its cost does not depend on the density of posts. **Titles** are searched by characters and
/// pairs of characters (`Posts+search.swift`).
///
/// **Reports** hide a post from the reporting user at once, and from all users but its author after several reports
/// (`Domain/Reports`).
///
/// **Liked events.** Seoul Culture's app stores a liked event as a post, recognized by its product ID. The service
/// stores it as a row of its own (`Domain/Favourites`) behind the routes of posts, visible to its owner only. Its ID
/// comes from the posts' sequence, so that one cursor pages through both (`Domain/Culture/CulturePosts+lists.swift`).
///
/// **The calendar** of the city is fetched once a day (`Domain/Calendar/CalendarRefresh.swift`) and served to the app
/// in the city's own path format, and to new clients in another. While the city's server is unavailable, the last
/// complete calendar is kept.
///
/// **Files** are stored by `shared/Files`: for a day, and then as long as a post refers to them.
///
/// **Companion posts** (`Domain/Companions`) are hidden from users whose phone number their author has blocked. Auth is
/// asked with every list; while it is unavailable, lists fail. The expiry of a post is computed, not stored.
///
/// **Attendance** (`Domain/Attendance`): the page has its own single-use token; a primary key limits attendance to once
/// a day.
///
/// The routes are in `Routes/Routes.swift`; `CommunityService+build.swift` assembles the service.
@main
struct CommunityService {
    static func main() async {
        await ServiceHost.run(
            "community",
            "posts, comments, follows, companions and cultural events",
            read: { try CommunityConfiguration(&$0) },
            build: { try buildCommunity($0, logger: $1) }
        )
    }
}
