import AppWire
import Authentication
import FoundationEssentials
package import Hummingbird
import NIOCore
package import Postgres
package import ServiceHost
import ServiceLifecycle

/// The inbox of a service: hears of other services' events, and lets each take effect once, however often it arrives.
///
/// The handler's changes and the event's id are committed together. What is answered: 204 when the event has taken effect,
/// now or before; 4xx when this service cannot make sense of it, so that the publisher parks it.
package struct Inbox: Service {
    private static let remembered = "30 days"

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
        let data = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
        guard let header = try? JSONDecoder().decode(Header.self, from: data) else {
            throw Problem(.malformed, message: "An event has an id and a name.")
        }
        guard header.name.hasPrefix("\(context.identity?.caller ?? "").") else {
            throw Problem(.forbidden, message: "\(header.name) is not announced by this caller.")
        }
        guard let subscription = subscriptions[header.name] else {
            throw Problem(.invalid, message: "\(header.name) is not subscribed to.")
        }
        do {
            try await database.transaction { transaction in
                let isNew = try await transaction.execute(
                    "INSERT INTO inbox (event_id) VALUES (\(header.id)) ON CONFLICT DO NOTHING"
                )
                if isNew == 1 { try await subscription.apply(data, transaction) }
            }
        } catch is DecodingError {
            throw Problem(.invalid, message: "\(header.name) has not the fields that it should have.")
        }
        return .empty(.noContent)
    }

    private struct Header: Decodable {
        var id: UUID
        var name: String
    }
}
