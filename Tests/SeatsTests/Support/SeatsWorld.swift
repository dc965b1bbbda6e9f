import Contracts
import Events
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit

@testable import Seats

/// The service with registered passengers.
struct SeatsWorld: Sendable {
    let client: any TestClientProtocol

    static func test(
        passengers: [AccountID: String] = [1: "조용한 수달", 2: "빛나는 고래"],
        _ body: @escaping @Sendable (SeatsWorld) async throws -> Void
    ) async throws {
        try await SeatsApplication.test { client in
            let world = SeatsWorld(client: client)
            for (account, name) in passengers { try await world.register(account, name) }
            try await body(world)
        }
    }

    func phone(_ account: AccountID) -> Phone {
        Phone(client, app: .seatcatcher, account: account)
    }

    func register(_ account: AccountID, _ name: String) async throws {
        try await announce(
            AuthEvents.AccountRegistered(account: account, app: .seatcatcher, nickname: name, image: nil)
        )
    }

    func withdraw(_ account: AccountID) async throws {
        try await announce(AuthEvents.AccountWithdrawn(account: account, app: .seatcatcher))
    }

    /// Delivers an event of auth and requires 204.
    func announce<E: Event>(_ event: E, id: UUID = UUID()) async throws {
        let envelope = EventEnvelope(id: id, name: E.name, body: event)
        let json = String(decoding: try JSONEncoder().encode(envelope), as: UTF8.self)
        let answer = try await Phone(client, process: "auth").send(.post, "/internal/events", json: json)
        guard answer.status == .noContent else { throw Refused(status: answer.status.code, body: answer.text) }
    }

    struct Refused: Error {
        var status: Int
        var body: String
    }
}

extension TestResponse {
    /// The status and the code of an error, as in `404 USER_NOT_FOUND`; otherwise the status alone.
    var summary: String {
        struct Refusal: Decodable {
            var error: String
            var message: String
            var code: String
        }
        guard status.code >= 400, let refusal = try? json(Refusal.self), !refusal.message.isEmpty else {
            return "\(status.code)"
        }
        return "\(status.code) \(refusal.code)"
    }

    /// The title of an error.
    var title: String? {
        struct Refusal: Decodable { var error: String }
        return try? json(Refusal.self).error
    }
}
