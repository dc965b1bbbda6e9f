import Apps
import Authentication
import Contracts
import FoundationEssentials
import Hummingbird
import Logging
import Postgres
import ServiceKit

/// The routes by which operators look at a service's outbox and intervene (`stack events`). Other services may not
/// call them.
struct OutboxRoutes: Sendable {
    private let store: OutboxEntryStore
    private let outbox: Outbox

    init(database: PostgresClient, outbox: Outbox) {
        self.outbox = outbox
        store = OutboxEntryStore(database: database)
    }

    func add(to router: ServiceRouter) {
        router.on(.get, "internal/outbox", from: .stack, .console, use: list)
        router.on(.post, "internal/outbox/retry", from: .stack, use: retryParked)
        router.on(.post, "internal/outbox/replay", from: .stack, use: replay)
        router.on(.get, "internal/outbox/:event", from: .stack, use: show)
        router.on(.post, "internal/outbox/:event/retry", from: .stack, .console, use: retry)
        router.on(.post, "internal/outbox/:event/drop", from: .stack, use: drop)
    }

    private func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        return try .json(
            await store.page(
                to: request.query("subscriber"),
                isParked: request.boolQuery("parked"),
                after: request.intQuery("after") ?? 0
            )
        )
    }

    private func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let number = try event(context)
        guard let event = try await store.event(number) else { throw missing(number) }
        return try .json(event)
    }

    private func retryParked(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let intervention = try await request.json(OutboxAPI.Intervention.self, context)
        let deliveries = try await store.retryParked(to: intervention.subscriber)
        Logger.current.notice(
            "outbox: parked events retried by operator",
            metadata: ["by": "\(intervention.by)", "deliveries": "\(deliveries)"]
        )
        return try .json(OutboxAPI.Outcome(deliveries: deliveries))
    }

    private func retry(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let number = try event(context)
        let intervention = try await request.json(OutboxAPI.Intervention.self, context)
        let deliveries = try await store.retry(number, to: intervention.subscriber)
        guard deliveries > 0 else { throw missing(number) }
        Logger.current.notice(
            "outbox: event retried by operator",
            metadata: ["by": "\(intervention.by)", "event": "\(number)", "deliveries": "\(deliveries)"]
        )
        return try .json(OutboxAPI.Outcome(deliveries: deliveries))
    }

    /// An event older than those that are kept may be unknown to its subscriber, although it was applied.
    private func replay(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let replay = try await request.json(OutboxAPI.Replay.self, context)
        let since = Date(timeIntervalSince1970: replay.since)
        guard since.timeIntervalSinceNow > -OutboxCleanup.keep else {
            throw Problem(.invalid, message: "Events are kept for a week; choose a later time.")
        }
        let page = try await store.replay(
            outbox.names(heardBy: replay.subscriber),
            to: replay.subscriber,
            since: since,
            after: replay.after
        )
        Logger.current.notice(
            "outbox: events replayed by operator",
            metadata: [
                "by": "\(replay.by)", "subscriber": "\(replay.subscriber)", "deliveries": "\(page.deliveries)",
            ]
        )
        return try .json(page)
    }

    private func drop(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let number = try event(context)
        let intervention = try await request.json(OutboxAPI.Intervention.self, context)
        guard let reason = intervention.reason, reason.contains(where: { !$0.isWhitespace }) else {
            throw Problem(.invalid, message: "reason is required to drop an event.")
        }
        let deliveries = try await store.drop(number, to: intervention.subscriber)
        guard deliveries > 0 else { throw missing(number) }
        Logger.current.warning(
            "outbox: event dropped by operator",
            metadata: [
                "by": "\(intervention.by)", "event": "\(number)", "deliveries": "\(deliveries)", "reason": "\(reason)",
            ]
        )
        return try .json(OutboxAPI.Outcome(deliveries: deliveries))
    }

    private func event(_ context: AppRequestContext) throws -> Int64 {
        guard let number = context.id("event") else {
            throw Problem(.badParameter, message: "An event is named by its number in the outbox.")
        }
        return number
    }

    private func missing(_ number: Int64) -> Problem {
        Problem(.notFound, message: "Event \(number) does not wait for such a subscriber.")
    }
}
