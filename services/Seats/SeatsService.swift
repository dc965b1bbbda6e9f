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
/// Stations and the way between them come from `shared/Subway`.
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
