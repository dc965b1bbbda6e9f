import AppWire
import Authentication
import Contracts
import FoundationEssentials
package import Hummingbird
import NIOCore
package import Postgres
package import ServiceHost
import ServiceLifecycle

/// The inbox of a service: hears of other services' events, and lets each take effect once, however often it arrives.
///
/// The handlers' changes and the events' ids are committed together, for all that one request tells. What is answered: 204
/// when all of it has taken effect, now or before; 4xx when this service cannot make sense of some of it, so that the
/// publisher parks that.
package struct Inbox: Service {
    private static let remembered = "30 days"
    private static let largestBody = 4 << 20

    private let database: PostgresClient
    private let subscriptions: [String: Subscription]

    package init(database: PostgresClient, subscriptions: [Subscription]) {
        self.database = database
        self.subscriptions = Dictionary(subscriptions.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The table, under the service's own version number.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "inbox", sql: PackageResources.inbox_sql)
    }

    /// Mounts `POST /internal/events`.
    package func add(to router: RouterGroup<AppRequestContext>) {
        router.post("internal/events", use: receive)
    }

    /// Forgets events that were heard long ago.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                _ = try? await database.execute(
                    "DELETE FROM inbox WHERE received_at < now() - \(Self.remembered)::text::interval"
                )
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }

    private func receive(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        var context = context
        context.bodyLimit = Self.largestBody
        let data = try await request.data(context)
        let audience = HeardEvent.Audience(subscriptions: subscriptions, caller: context.identity?.caller)
        let events = try HeardEvent.events(in: data, heardBy: audience)
        try await database.transaction { transaction in
            for run in Self.runs(of: try await news(in: events, transaction)) {
                try await run.subscription.apply(run.events, transaction)
            }
        }
        return .empty(.noContent)
    }

    /// Records events as heard.
    ///
    /// - Returns: those of which nothing was heard before, each once, in their order.
    private func news(in events: [HeardEvent], _ transaction: PostgresTransaction) async throws -> [HeardEvent] {
        let ids = try await transaction.all(
            // In one order, so that requests that tell the same wait for each other and not in a circle.
            """
            INSERT INTO inbox (event_id) SELECT id FROM unnest(\(events.map(\.id))) AS id ORDER BY id
            ON CONFLICT DO NOTHING RETURNING event_id
            """
        ) { try $0.decode(UUID.self) }
        var unheard = Set(ids)
        return events.filter { unheard.remove($0.id) != nil }
    }

    /// Events of one name that follow each other, together.
    private static func runs(of events: [HeardEvent]) -> [(subscription: Subscription, events: [any Event])] {
        events.reduce(into: []) { runs, event in
            if runs.last?.subscription.name == event.subscription.name {
                runs[runs.endIndex - 1].events.append(event.body)
            } else {
                runs.append((event.subscription, [event.body]))
            }
        }
    }
}
