import Logging
import ServiceKit

/// Estate: listings of Anlaka, with map, search for places and home screen.
///
/// **Owns** listings with their pictures, likes and comments, the map with its clusters, the search for places, and the
/// content of the home screen.
///
/// **Tables** (schema `estate`): `people` (from auth); `listings`, `likes`, `like_changes`, `reservations` (from payments);
/// `comments`; `topics`; `uploads`; `place_answers` (Kakao's responses), `place_requests` (how many a day);
/// `hot_listings`; inbox and outbox. A comment on each table says what bounds it.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed`, `auth.account-withdrawn` and
/// `payments.reservation-changed`. **Publishes** `estate.account-erased`. **Answers** other services at
/// `/internal/listings` (`EstateAPI`): listings from the view of an account, and bulk imports; and the console at
/// `/internal/operators/map` (`OperatorsAPI+map`).
///
/// **Location privacy.** Only the creator of a listing and the user who has paid to reserve it see its exact position.
/// All others see a position 30 to 80 m away, always the same (`LocationObfuscator`). It is stored with the listing,
/// and all searching, sorting, measuring and clustering uses it alone, so that no query reveals more.
///
/// **The map.** The nearest listings come from PostGIS. Clusters are computed per tile (`MapTile`) by
/// `Clustering` from the listings in the tile alone, so moving the map does not change them.
///
/// **Pictures** are stored by `shared/Files`: for a day, and then as long as a listing refers to them.
///
/// **The home screen** shows selections by listings and likes (`FeaturedListings`), and notes on the market that are
/// written once a day (`Topics`).
///
/// **Places** are searched at Kakao (`Clients/KakaoLocal/`), whose responses are cached for all replicas
/// (`PlaceCache`); stale ones are used while Kakao is unavailable. The gateway limits the rate per user. A background
/// job stores the region of a new listing (`RegionLabels`), determined by its shown position.
///
/// The routes are in `Routes/Routes.swift`; `EstateService+build.swift` assembles the service.
@main
struct EstateService {
    static func main() async {
        await ServiceHost.run(
            "estate",
            "listings, map clusters and places of Anlaka",
            read: { try EstateConfiguration(&$0) },
            build: { try buildEstate($0, logger: $1) }
        )
    }
}
