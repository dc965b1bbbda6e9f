package import Contracts
package import FoundationEssentials
import HTTPTypes
package import HummingbirdTesting
package import Postgres

/// A service on the database of the current test, and what stands beside it.
package protocol ServiceWorld: Fixture {
    /// Sends requests to the service as they are.
    var client: any TestClientProtocol { get }
    static var service: ServiceName { get }
}

extension ServiceWorld {
    package var database: PostgresClient { TestDatabase.current.client }

    /// Delivers an event to the service.
    ///
    /// - Parameters:
    ///   - process: the sender; nil for the service that the event's name begins with.
    ///   - id: the same for each delivery of one event.
    /// - Returns: the status.
    @discardableResult
    package func deliver<E: Event>(_ event: E, from process: ProgramName? = nil, id: UUID = UUID()) async throws -> Int
    {
        let body = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
        let json = #"{"id":"\#(id)","name":"\#(E.name)","body":\#(body)}"#
        let publisher = ProgramName(rawValue: String(E.name.prefix { $0 != "." }))
        let sender = ServiceClient(client, to: Self.service, process: process ?? publisher ?? .stack)
        return try await sender.send(.post, "/internal/events", json: json).status.code
    }

    /// The number of a table's rows.
    package func count(_ table: String) async throws -> Int {
        try await database.one("SELECT count(*) FROM \(identifier: table)") { try $0.decode(Int.self) }
    }

    /// PostgreSQL's plan of a statement.
    package static func plan(_ statement: SQL) async throws -> String {
        try await TestDatabase.current.client.all("EXPLAIN \(statement)") { try $0.decode(String.self) }
            .joined(separator: "\n")
    }

    /// The public id that the fixtures of tests give an account: 24 hexadecimal digits.
    package static func publicID(_ account: AccountID) -> String {
        let digits = String(account.rawValue, radix: 16)
        return String(repeating: "a", count: 24 - digits.count) + digits
    }
}
