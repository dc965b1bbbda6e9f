import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Notifications

/// The routes that register push tokens.
@Suite(.database(Migrations.all), .service)
struct DeviceRoutesTests {
    private var world: NotificationsWorld { .current }

    struct Call: Sendable {
        var app: App
        var account: AccountID
        var method: HTTPRequest.Method
        var path: String
        var field: String
        /// The body of the response.
        var answer: String
    }

    static let calls = [
        Call(
            app: .seatcatcher,
            account: 1,
            method: .post,
            path: "/fcm/token",
            field: "token",
            answer: "The token is kept."
        ),
        Call(
            app: .moup,
            account: 11,
            method: .patch,
            path: "/users/fcm-token",
            field: "fcmToken",
            answer: #"{"userId":11}"#
        ),
        Call(
            app: .anlaka,
            account: 21,
            method: .put,
            path: "/v1/users/deviceToken",
            field: "deviceToken",
            answer: "{}"
        ),
        Call(
            app: .culture,
            account: 31,
            method: .put,
            path: "/v1/users/deviceToken",
            field: "deviceToken",
            answer: "{}"
        ),
        Call(
            app: .withsuhyeon,
            account: 41,
            method: .put,
            path: "/api/v1/fcm/token",
            field: "token",
            answer: #"{"errorCode":null,"message":"SUCCESS","result":null}"#
        ),
    ]

    @Test(arguments: calls)
    func token_isStoredAndRemoved(_ call: Call) async throws {
        let phone = world.client(call.app, call.account)
        func send(_ value: String) async throws -> TestResponse {
            try await phone.send(call.method, call.path, json: #"{"\#(call.field)":\#(value)}"#)
        }
        func owners() async throws -> Int {
            try await world.database.one(
                "SELECT count(*) FROM devices WHERE account_id = \(call.account) AND app = \(call.app.rawValue)"
            ) { try $0.decode(Int.self) }
        }
        for _ in 0..<2 {
            let kept = try await send(#""abc:123""#)
            #expect(kept.status == .ok && kept.text == call.answer)
            #expect(try await owners() == 1)
        }
        for bad in ["1", "null", #""a b""#, #""가나""#, "\"\(String(repeating: "a", count: 4097))\""] {
            let refused = try await send(bad)
            #expect(refused.status.code == (call.app == .moup ? 422 : 400), "\(bad): \(refused.text)")
            #expect(refused.text.contains(bad.first == "\"" ? "token" : call.field))
        }
        let missing = try await phone.send(call.method, call.path, json: "{}")
        #expect(missing.status.code == (call.app == .moup ? 422 : 400) && missing.text.contains(call.field))
        #expect(try await owners() == 1)
        #expect(try await send(#""""#).status == .ok)
        #expect(try await owners() == 0)
    }

    @Test
    func token_withoutAccount_isNotStored() async throws {
        let answer = try await ServiceClient(world.client, to: .notifications, app: .withsuhyeon)
            .send(.post, "/api/vi/fcm/token", json: #"{"token":"abc"}"#)
        #expect(answer.status == .ok && answer.text == #"{"errorCode":null,"message":"SUCCESS","result":null}"#)
        #expect(try await world.count("devices") == 0)
    }
}
