import Contracts
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Notifications

/// Preferences for pushes by kind.
@Suite(.database(Migrations.all), .service)
struct PreferenceRoutesTests {
    private var world: NotificationsWorld { .current }
    static let places: [(App, AccountID, String)] = [
        (.seatcatcher, 1, "/alarms/me/preferences"), (.moup, 11, "/alarms/preferences"),
        (.anlaka, 21, "/v1/notifications/preferences"), (.culture, 31, "/v1/notifications/preferences"),
        (.withsuhyeon, 41, "/api/v1/notifications/preferences"),
    ]

    private static func preferences(_ answer: TestResponse, of app: App) throws -> [PreferencesBody.Item] {
        struct Enveloped: Decodable { var result: PreferencesBody }
        guard app == .withsuhyeon else { return try answer.json(PreferencesBody.self).preferences }
        return try answer.json(Enveloped.self).result.preferences
    }

    @Test(arguments: places)
    func change_keepsOmittedKinds(_ app: App, _ account: AccountID, _ path: String) async throws {
        let phone = world.client(app, account)
        let all = try await Self.preferences(phone.send(.get, path), of: app)
        #expect(all.map(\.kind) == PushKind.all(of: app) && all.allSatisfy(\.isPushed))
        func put(_ items: String) async throws -> [String] {
            let answer = try await phone.send(.put, path, json: #"{"preferences":[\#(items)]}"#)
            try #require(answer.status == .ok, "\(answer.text)")
            let items = try Self.preferences(answer, of: app)
            #expect(items.map(\.kind) == PushKind.all(of: app))
            return items.filter { !$0.isPushed }.map(\.kind)
        }
        #expect(try await put("") == [])
        let off = #"{"kind":"ANNOUNCEMENT","isPushed":false}"#
        for _ in 0..<2 { #expect(try await put(off) == ["ANNOUNCEMENT"]) }
        #expect(try await put(#"{"kind":"NEW_DEVICE","isPushed":false}"#) == ["ANNOUNCEMENT", "NEW_DEVICE"])
        #expect(try await put(#"{"kind":"ANNOUNCEMENT","isPushed":true}"#) == ["NEW_DEVICE"])
        #expect(try await put(off + #",{"kind":"ANNOUNCEMENT","isPushed":true}"#) == ["NEW_DEVICE"])
        let shown = try await Self.preferences(phone.send(.get, path), of: app)
        #expect(shown.filter { !$0.isPushed }.map(\.kind) == ["NEW_DEVICE"])
    }

    @Test(arguments: places)
    func invalidPreference_isRefused_andChangesNothing(_ app: App, _ account: AccountID, _ path: String) async throws {
        let phone = world.client(app, account)
        for (json, word) in [
            (
                #"{"preferences":[{"kind":"NEW_DEVICE","isPushed":false},{"kind":"NOTHING","isPushed":true}]}"#,
                "NOTHING"
            ),
            (#"{"preferences":[{"kind":"NEW_DEVICE","isPushed":"no"}]}"#, "isPushed"),
            (#"{"preferences":[{"isPushed":true}]}"#, "kind"), ("{}", "preferences"),
        ] {
            let answer = try await phone.send(.put, path, json: json)
            #expect(answer.status.code == (app == .moup ? 422 : 400) && answer.text.contains(word), "\(answer.text)")
        }
        #expect(try await world.count("muted_kinds") == 0)
    }

    @Test
    func mutedKind_isListedAndNotPushed() async throws {
        try await world.addPhone(.seatcatcher, 1)
        let off = #"{"preferences":[{"kind":"HELLO","isPushed":false}]}"#
        #expect(try await world.client(.seatcatcher, 1).send(.put, "/alarms/me/preferences", json: off).status == .ok)
        try await world.alert(1, .hello)
        try await world.alert(1, .arrivalHandled)
        #expect(try await world.count("alarms") == 2)
        #expect(try await world.pushes().map(\.kind) == ["ARRIVAL_HANDLED"])
    }
}
