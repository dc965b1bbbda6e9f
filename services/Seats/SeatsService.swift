import Logging
import ServiceKit

/// Seats: seat occupancy in Seoul's subway, for SeatCatcher.
///
/// **Owns** lines and stations with their running times, the last known position of each train of the day, cars and
/// their seats, occupancies and yield requests, credit, journeys, riding statuses, favorites and reports.
///
/// **Tables** (schema `seats`): `lines`, `stations`, `sightings`, `trains`, `train_aliases`, `arrivals`, `arrival_calls`;
/// `passengers`, `tags`, `riding_statuses`, `reports`, `favorites`; `cars`, `seats`, `watched_cars`, `occupancies` (the
/// view `live_occupancies` has the unexpired ones), `yield_requests`; `transfers` (double entries; view `ledger_entries`),
/// `rewards`, `unlocks`; `journeys`; `live_messages`, `alerts`, `revoked_sessions`; `requests`; inbox and outbox.
///
/// **Bounds** (`Jobs/Retention`, in batches): `live_messages` an hour, by partitions; `alerts`, `requests` (of `Idempotency-Key`) a day;
/// `sightings`, `revoked_sessions` two days; `trains` and unused `cars` with `seats` 30 days; `rewards`, decided
/// `yield_requests` 90 days; ended `journeys` and paths with `unlocks` a year; `transfers` a year, then their net per holder;
/// `reports` three years. One row per passenger: `passengers`, `riding_statuses`, `watched_cars`, `occupancies`, and 50
/// `favorites`. One per station: `stations`, `lines`, `arrivals`; `train_aliases` 1,000; `arrival_calls` one.
///
/// **Publishes** `seats.account-erased` and, for notifications, `seats.passenger-alerted`. **Consumes**
/// `auth.account-registered` and `auth.profile-changed` (names and pictures), `auth.account-withdrawn` (ends the
/// journey and erases the passenger's data), `auth.session-revoked` (closes sockets). **Answers** other services at
/// `/internal/passengers/{account}`: a passenger's credit; and the console at `/internal/operators` (`OperatorsAPI+train`):
/// cars with their passengers.
///
/// **Changes of a car** lock the car, then the passengers whose credit moves (`CarTransaction`), insert the messages
/// for sockets into `live_messages`, and announce their topics after the commit. Every replica reads the announced topics
/// (`Live/LiveFeed`) and delivers the messages to its connected sockets (`Live/LiveService`, STOMP at `/seatcatcher`).
/// Timed work is stored in rows and done by background jobs (`Jobs/`).
///
/// Stations and routes come from `shared/Subway`, trains from Seoul's realtime arrivals (`Clients/SeoulArrivals/`).
///
/// Every URL is in `Routes/Routes.swift`; `SeatsService+build.swift` assembles the service.
@main
struct SeatsService {
    static func main() async {
        await ServiceHost.run(
            "seats",
            "stations, trains, seats and journeys of SeatCatcher",
            read: { try SeatsConfiguration(&$0) },
            build: { try buildSeats($0, logger: $1) }
        )
    }
}
