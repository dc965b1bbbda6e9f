import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit

@testable import Auth

/// A member with an email address and a password, signed in.
struct SeSACMember: Sendable {
    var phone: ServiceClient
    /// 24 hexadecimal digits.
    var id: String
    var account: AccountID
    var tokens: TokenPair
}

extension AuthWorld {
    /// A client of Seoul Culture without a session.
    var culture: ServiceClient { ServiceClient(client, to: .auth, app: .culture) }

    /// Joins Anlaka.
    func anlakaMember(_ email: String, nick: String = "하루") async throws -> SeSACMember {
        let body = #"{"email":"\#(email)","password":"abcd123!","nick":"\#(nick)"}"#
        let joined = try await anlaka.send(.post, "/v1/users/join", json: body)
        return try member(joined, app: .anlaka)
    }

    /// Joins Seoul Culture and signs in.
    func cultureMember(_ email: String, nick: String) async throws -> SeSACMember {
        let body = #"{"email":"\#(email)","password":"password","nick":"\#(nick)"}"#
        _ = try await culture.send(.post, "/v1/users/join", json: body)
        let signedIn = try await culture.send(
            .post,
            "/v1/users/login",
            json: #"{"email":"\#(email)","password":"password"}"#
        )
        return try member(signedIn, app: .culture)
    }

    private func member(_ answer: TestResponse, app: App) throws -> SeSACMember {
        let tokens = try answer.json(TokenPair.self)
        let (account, session, _) = try tokens.claims
        return SeSACMember(
            phone: ServiceClient(client, to: .auth, app: app, account: account, session: session),
            id: try answer.json([String: String].self)["user_id"] ?? "",
            account: account,
            tokens: tokens
        )
    }
}

/// The rows in the current test's database.
enum Rows {
    static func count(_ sql: SQL) async throws -> Int {
        try await TestDatabase.current.client.one(sql) { try $0.decode(Int.self) }
    }

    /// The bodies of the events of a kind, oldest first.
    static func events<Body: Event>(_ type: Body.Type) async throws -> [Body] {
        let texts = try await TestDatabase.current.client.all(
            "SELECT body::text FROM outbox WHERE name = \(Body.name) ORDER BY id"
        ) { try $0.decode(String.self) }
        return try texts.map { try JSONDecoder().decode(Body.self, from: Data($0.utf8)) }
    }
}
