import Apps
import Authentication
import Contracts
import FoundationEssentials
import Hummingbird
import NIOCore
package import Postgres
import ServiceDatabase
package import ServiceKit
import ServiceLifecycle

/// The inbox of a service: receives other services' events and applies each exactly once, however often it is
/// delivered.
///
/// The handlers' changes and the event ids are committed in one transaction: that of a request's events, or one per
/// event where handlers take locks in an order of their own, which several events would break. The response is 204 if all
/// events have been applied, now or before, and 422 with `EventRefusals` if an event is unknown or invalid here. Event
/// ids are kept for 8 days, longer than an outbox keeps delivered events.
package struct Inbox: Service {
    private static let largestBody = 4 << 20

    private let database: PostgresClient
    private let subscriptions: [String: Subscription]
    private let outbox: Outbox
    private let isolatesEvents: Bool

    /// - Parameters:
    ///   - outbox: That of the same service, for operators.
    ///   - isolatesEvents: whether each event has a transaction of its own.
    package init(
        database: PostgresClient,
        subscriptions: [Subscription],
        outbox: Outbox,
        isolatesEvents: Bool = false
    ) {
        self.database = database
        self.outbox = outbox
        self.isolatesEvents = isolatesEvents
        self.subscriptions = Dictionary(subscriptions.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The migration that creates the table, with a version number of the service.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "inbox", sql: PackageResources.inbox_sql)
    }

    /// The migration that partitions the table by day, with a version number of the service. It follows those of
    /// `Outbox`, whose event ids it gives a time.
    package static func partitionsMigration(version: Int) -> Migration {
        Migration(version: version, name: "inbox_partitions", sql: PackageResources.partitions_sql)
    }

    /// The table's partitions by the day of the event.
    static let partitions = TimePartitions(
        of: "inbox",
        by: "event_id",
        .uuid,
        per: .day,
        ageColumn: "received_at",
        keep: 8 * 86_400
    )

    /// Mounts `POST /internal/events`, and for operators the outbox of the same service.
    package func add(to router: ServiceRouter) {
        router.on(.post, "internal/events", from: publishers, use: receive)
        OutboxRoutes(database: database, outbox: outbox).add(to: router)
    }

    /// The programs whose events are subscribed to; an event's name begins with that of its publisher.
    private var publishers: Set<ProgramName> {
        Set(subscriptions.keys.compactMap { name in ProgramName(rawValue: String(name.prefix { $0 != "." })) })
    }

    /// Drops the ids of events received long ago.
    package func run() async throws {
        let job = PeriodicJob("old inbox ids", every: .seconds(60)) {
            try await Self.partitions.maintain(database)
            return false
        }
        await cancelWhenGracefulShutdown { await job.run() }
    }

    private func receive(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        var context = context
        context.bodyLimit = Self.largestBody
        let data = try await request.data(context)
        let audience = ReceivedEvent.Audience(subscriptions: subscriptions, caller: context.identity?.caller.rawValue)
        var events: [ReceivedEvent] = []
        var refusals: [EventRefusals.Refusal] = []
        for outcome in try ReceivedEvent.events(in: data, heardBy: audience) {
            switch outcome {
            case .success(let event): events.append(event)
            case .failure(let refusal): refusals.append(refusal)
            }
        }
        guard refusals.isEmpty else { return try Self.refused(refusals) }
        do {
            try await apply(events)
        } catch {
            guard let problem = Self.refusal(error) else { throw error }
            // With several events, the one that the handler refused is not known.
            let only = events.count == 1 ? events.first : nil
            let refusal = only.map {
                EventRefusals.Refusal(id: $0.id, reason: .malformed, message: problem.message)
            }
            return try Self.refused(refusal.map { [$0] } ?? [])
        }
        return .empty(.noContent)
    }

    private static func refused(_ refusals: [EventRefusals.Refusal]) throws -> Response {
        try .json(EventRefusals(refusals: refusals), status: .init(code: EventRefusals.status))
    }

    /// The problem of a handler that refuses its event, or cannot store its text; nil for any other failure.
    private static func refusal(_ error: any Error) -> Problem? {
        let problem = error as? Problem ?? (error as? any ProblemConvertible)?.problem
        return problem.flatMap { [.malformed, .invalid, .conflict].contains($0.kind) ? $0 : nil }
    }

    private func apply(_ events: [ReceivedEvent]) async throws {
        for batch in isolatesEvents ? events.map({ [$0] }) : [events] {
            try await database.transaction { transaction in
                for run in EventRun.runs(of: try await news(in: batch, transaction)) {
                    try await run.apply(in: transaction)
                }
            }
        }
    }

    /// Records events as received.
    ///
    /// - Returns: The events not received before, each once, in order.
    private func news(in events: [ReceivedEvent], _ transaction: PostgresTransaction) async throws -> [ReceivedEvent] {
        let ids = try await transaction.all(
            // Inserted in a fixed order, so that concurrent deliveries of the same events wait for each other without a
            // deadlock.
            """
            INSERT INTO inbox (event_id) SELECT id FROM unnest(\(events.map(\.id))) AS id ORDER BY id
            ON CONFLICT DO NOTHING RETURNING event_id
            """
        ) { try $0.decode(UUID.self) }
        var unheard = Set(ids)
        return events.filter { unheard.remove($0.id) != nil }
    }
}
