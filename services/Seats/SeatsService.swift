import Logging
import ServiceHost

/// Seats: who sits where in Seoul's subway, for SeatCatcher.
///
/// **Owns** lines and stations with their running times, where each train of the day was last seen, and what it keeps of
/// the passengers. **Tables** (schema `seats`): `lines`, `stations`, `sightings`, `passengers`, and the inbox. **Publishes** nothing yet. **Consumes**
/// `auth.account-registered` and `auth.profile-changed`: names and pictures of passengers. **Answers** other services at
/// `/internal/passengers/{account}`: a passenger's credit.
///
/// Stations and the way between them come from `shared/Subway`, trains from Seoul's realtime arrivals (`Arrivals/`).
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
