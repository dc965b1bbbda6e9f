import Logging
import ServiceHost

/// Seats: who sits where in Seoul's subway, for SeatCatcher.
///
/// **Owns** lines and stations with their running times, and what it keeps of the passengers: their saved riding status,
/// favourites, reports. **Tables** (schema `seats`): `lines`, `stations`, `passengers`, `tags`, `riding_statuses`,
/// `reports`, `favorites`, and the inbox. **Publishes** nothing yet. **Consumes** `auth.account-registered` and
/// `auth.profile-changed`: names and pictures of passengers; `auth.account-withdrawn`: what is left of who leaves.
/// **Answers** other services at `/internal/passengers/{account}`: a passenger's credit.
///
/// The stations are Seoul Metro's distances and running times between neighbouring stations (Seoul Open Data Plaza,
/// data set OA-12034, open government data, attribution required); `Data/stations.csv` holds its 278 rows in their order,
/// with the running time since the line's first row added. Lines 1, 3, 4, 7 and 8 cover Seoul Metro's own sections only;
/// line 2 names 시청 twice (both ends of the circle) and then lists its branches, line 6 names 응암 twice.
///
/// Every URL is in `Routes/Routes.swift`; `SeatsService+build.swift` puts the pieces together.
@main
struct SeatsService {
    static func main() async {
        await ServiceHost.run(
            "seats",
            read: { try SeatsConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildSeats($0, logger: $1) }
        )
    }
}
