import Logging
import ServiceHost

/// Estate: what is to let and where, for Anlaka.
///
/// **Owns** listings with their pictures, likes and comments, the map with its clusters, the search for places, and what
/// the home screen shows of all these.
///
/// **Tables** (schema `estate`): `people` (from auth); `listings`, `likes`, `reservations` (from payments); `comments`;
/// `topics`; `uploads`; inbox and outbox.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed`, `auth.account-withdrawn` and
/// `payments.reservation-changed`. **Publishes** `estate.account-erased`. **Answers** other processes at
/// `/internal/listings` (`EstateAPI`): listings as somebody sees them, and listings put on the map in bulk.
///
/// **Where a listing is** nobody learns but its creator and who has paid to reserve it. Everybody else is told a place that
/// is 30 to 80 m off, always the same (`PositionVeil`). It is settled when the listing is made, and everything that
/// searches, sorts, measures or groups goes by it alone; so no question can be put whose answer says more.
///
/// **The map.** The nearest listings come from PostGIS; clusters come tile by tile (`MapTile`), each grouped by
/// `shared/Clustering` from what is in it and nothing else, so that moving the map changes no cluster.
///
/// **Pictures** are kept by `shared/Uploads`: for a day, and then for as long as a listing names them.
///
/// **The home screen** shows what the listings and likes say at the moment (`Picks`), and notes on the market that are
/// written once a day (`Topics`).
///
/// Every URL is in `Routes/Routes.swift`; `EstateService+build.swift` puts the pieces together.
@main
struct EstateService {
    static func main() async {
        await ServiceHost.run(
            "estate",
            read: { try EstateConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildEstate($0, logger: $1) }
        )
    }
}
