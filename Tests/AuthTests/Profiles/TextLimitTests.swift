import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

/// Texts of few characters with many combining marks, which every list would repeat.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct TextLimitTests {
    private var world: AuthWorld { .current }

    /// One character of 5,001 Unicode scalars.
    private static let tower = "e" + String(repeating: "\u{300}", count: 5000)

    @Test(arguments: ["nick", "introduction", "phoneNum"]) func anlakaProfile_refusesTower(field: String) async throws {
        let client = try await world.anlakaMember("a@b.kr").phone
        let answer = try await client.send(.put, "/v1/users/me/profile", json: #"{"\#(field)":"\#(Self.tower)"}"#)
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["message"])
    }

    @Test func joins_refuseTower() async throws {
        let body = #"{"email":"a@b.kr","password":"abcd123!","nick":"\#(Self.tower)"}"#
        #expect(try await world.anlaka.send(.post, "/v1/users/join", json: body).status == .badRequest)
        #expect(try await world.culture.send(.post, "/v1/users/join", json: body).status == .badRequest)
        let password = #"{"email":"a@b.kr","password":"abcdefg\#(Self.tower)","nick":"n"}"#
        #expect(try await world.culture.send(.post, "/v1/users/join", json: password).status == .badRequest)
    }

    @Test func nameOfSession_refusesTower() async throws {
        let tokens = try await world.signIn(kakao: 1).tokens
        let client = try world.client(.seatcatcher, tokens)
        let path = "/user/me/sessions/\(try tokens.claims.session)"
        #expect(try await client.send(.patch, path, json: #"{"name":"\#(Self.tower)"}"#).status == .badRequest)
        #expect(try await client.send(.patch, path, json: #"{"name":"내 폰"}"#).status == .ok)
    }

    @Test func seatCatcherName_refusesTower() async throws {
        let client = try world.client(.seatcatcher, try await world.signIn(kakao: 1).tokens)
        let body = #"{"name":"\#(Self.tower)"}"#
        #expect(try await client.send(.patch, "/user/me", json: body).status == .badRequest)
    }

    @Test func database_refusesLongerTexts() async throws {
        let database = TestDatabase.current.client
        _ = try await world.signIn(kakao: 1)
        let long = String(repeating: "가", count: 481)
        let changes: [SQL] = [
            "UPDATE accounts SET nickname = left(\(long), 51)", "UPDATE accounts SET introduction = \(long)",
            "UPDATE accounts SET phone = left(\(long), 241)", "UPDATE accounts SET birth_day = left(\(long), 241)",
        ]
        for change in changes {
            await #expect(throws: PostgresError.self) { try await database.execute(change) }
        }
    }
}
