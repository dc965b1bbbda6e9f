import Apps
import Authentication
import Contracts
import Hummingbird
import Logging
import Postgres
import ServiceKit

/// The routes by which operators look at a service's outbox and intervene (`stack events`). Other services may not
/// call them.
struct OutboxRoutes: Sendable {
    private let store: OutboxEntryStore

    init(database: PostgresClient) {
        store = OutboxEntryStore(database: database)
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        let outbox = router.group(RouterPath(OutboxAPI.path))
        outbox.get(use: list)
        outbox.post("retry", use: retryParked)
        outbox.get(":event", use: show)
        outbox.post(":event/retry", use: retry)
        outbox.post(":event/drop", use: drop)
    }

    private func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try requireOperator(context)
        return try .json(
            await store.page(
                to: request.query("subscriber"),
                isParked: request.boolQuery("parked"),
                after: request.intQuery("after") ?? 0
            )
        )
    }

    private func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try requireOperator(context)
        let number = try event(context)
        guard let event = try await store.event(number) else { throw missing(number) }
        return try .json(event)
    }

    private func retryParked(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try requireOperator(context)
        let intervention = try await request.json(OutboxAPI.Intervention.self, context)
        let deliveries = try await store.retryParked(to: intervention.subscriber)
        Logger.current.notice(
            "outbox: parked events retried by operator",
            metadata: ["by": "\(intervention.by)", "deliveries": "\(deliveries)"]
        )
        return try .json(OutboxAPI.Outcome(deliveries: deliveries))
    }

    private func retry(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try requireOperator(context)
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

    private func drop(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try requireOperator(context)
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

    private func requireOperator(_ context: AppRequestContext) throws {
        guard context.identity?.caller == OutboxAPI.caller else {
            throw Problem(.forbidden, message: "The outbox is for operators.")
        }
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
