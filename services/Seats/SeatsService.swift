import Logging
import ServiceHost

/// Seats: who sits where in Seoul's subway, for SeatCatcher.
///
/// **Owns** lines and stations with their running times, where each train of the day was last seen, cars and their seats,
/// who sits where and who wants to, credit, journeys, and what passengers keep: riding status, favourites, reports.
///
/// **Tables** (schema `seats`): `lines`, `stations`, `sightings`; `passengers`, `tags`, `riding_statuses`, `reports`,
/// `favorites`; `cars`, `seats`, `watched_cars`, `occupancies` (`live_occupancies` are those that count),
/// `yield_requests`; `transfers` (a double entry each; `ledger_entries`), `rewards`, `unlocks`; `journeys`;
/// `live_messages`, `alerts`, `revoked_sessions`; inbox and outbox.
///
/// **Publishes** `seats.account-erased` and, for notifications, `seats.passenger-alerted`. **Consumes**
/// `auth.account-registered` and `auth.profile-changed` (names and pictures), `auth.account-withdrawn` (ends and erases
/// everything of who leaves), `auth.session-revoked` (closes sockets). **Answers** other services at `/internal/passengers/{account}`: a passenger's credit.
///
/// **A change of a car** locks the car, then the passengers whose credit moves (`CarTransaction`), writes what sockets are
/// told to `live_messages`, and announces it by NOTIFY when it commits. Every copy of the service hears that
/// (`Live/LiveFeed`) and tells the sockets that are connected to it (`Live/LiveService`, STOMP at `/seatcatcher`). What is
/// due at some time is a row (`Timers/`).
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
