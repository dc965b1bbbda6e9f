import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Notifications

/// The service on the current test's database, with users whose profile events it has received, an auth service that
/// knows MOUP's administrators, and no sender of pushes: pushes stay in the queue.
struct NotificationsWorld: ServiceWorld {
    static let service = ServiceName.notifications

    let client: any TestClientProtocol
    let auth: StubAuth
    let clock: ManualClock

    static func test(_ body: @escaping @Sendable (NotificationsWorld) async throws -> Void) async throws {
        let database = TestDatabase.current
        for (account, nickname, app) in [
            (AccountID(1), "하루", App.seatcatcher), (2, "나무", .seatcatcher), (11, "가람", .moup), (12, "마루", .moup),
            (21, "바다", .anlaka), (22, "노을", .anlaka), (31, "이슬", .culture), (32, "별", .culture),
            (41, "구름", .withsuhyeon), (42, "솔", .withsuhyeon),
        ] {
            try await database.client.execute(
                """
                INSERT INTO people (account_id, app, public_id, nickname)
                VALUES (\(account), \(app.rawValue), \(publicID(account)), \(nickname))
                """
            )
        }
        let (auth, clock) = (StubAuth(), ManualClock())
        try await auth.run { url in
            var configuration = NotificationsConfiguration(database: database.configuration)
            configuration.authURLs = [url]
            configuration.fcmCredentials = FCMCredentials(pattern: "http://127.0.0.1:9/{app}")
            configuration.now = { clock.now }
            try await buildNotifications(configuration, logger: .quiet).test(.router) { client in
                try await body(NotificationsWorld(client: client, auth: auth, clock: clock))
            }
        }
    }

    func client(_ app: App, _ account: AccountID, session: String? = nil) -> ServiceClient {
        ServiceClient(client, to: .notifications, app: app, account: account, session: session ?? "session \(account)")
    }

    /// Delivers an alert to a SeatCatcher account.
    func alert(
        _ account: AccountID,
        _ kind: SeatsEvents.AlertKind = .hello,
        _ arguments: [String] = [],
        seen: Bool = false,
        id: UUID = UUID()
    ) async throws {
        let event = SeatsEvents.PassengerAlerted(
            account: account,
            kind: kind,
            arguments: arguments,
            payload: nil,
            seen: seen,
            id: id
        )
        let status = try await deliver(event, from: .seats)
        #expect(status == 204)
    }

    /// Registers a device of an account.
    func addPhone(_ app: App, _ account: AccountID, session: String? = nil) async throws {
        let (method, path, field): (HTTPRequest.Method, String, String) =
            switch app {
            case .seatcatcher: (.post, "/fcm/token", "token")
            case .moup: (.patch, "/users/fcm-token", "fcmToken")
            case .anlaka, .culture: (.put, "/v1/users/deviceToken", "deviceToken")
            case .withsuhyeon: (.put, "/api/v1/fcm/token", "token")
            }
        let json = #"{"\#(field)":"token-\#(session ?? String(account))"}"#
        let answer = try await client(app, account, session: session).send(method, path, json: json)
        #expect(answer.status == .ok, "\(answer.text)")
    }

    /// Sends an operator's announcement and returns its id.
    @discardableResult
    func announce(_ app: App, _ title: String, _ content: String? = nil, key: String? = nil) async throws -> Int64 {
        struct Answer: Decodable { var id: Int64 }
        let answer = try await tryToAnnounce(app, title, content, key: key)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json(Answer.self).id
    }

    func tryToAnnounce(
        _ app: App,
        _ title: String,
        _ content: String? = nil,
        key: String? = nil
    ) async throws -> TestResponse {
        let more = content.map { #","content":"\#($0)""# } ?? ""
        var headers: HTTPFields = [:]
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        let json = #"{"app":"\#(app.rawValue)","title":"\#(title)"\#(more)}"#
        return try await ServiceClient(client, to: .notifications, process: .stack)
            .send(.post, "/internal/announcements", json: json, headers: headers)
    }

    // MARK: What is stored

    struct StoredPush: Equatable {
        var account: AccountID
        var session: String
        var kind: String
        var title: String?
        var body: String
        var data: String
    }

    /// The queued pushes in their order.
    func pushes() async throws -> [StoredPush] {
        try await database.all(
            """
            SELECT d.account_id, d.session_id, p.kind, p.title, p.body, p.data
            FROM pushes p JOIN devices d ON d.id = p.device_id ORDER BY p.id
            """
        ) { row in
            let (account, session, kind, title, body, data) = try row.decode(
                as: (AccountID, String, String, String?, String, String).self
            )
            return StoredPush(account: account, session: session, kind: kind, title: title, body: body, data: data)
        }
    }

    /// Waits until the pushes of all announcements are queued.
    func announcementsAreOut() async throws {
        try await eventually("the pushes of all announcements are queued") {
            try await database.one("SELECT count(*) FROM announcements WHERE pushed_through IS NOT NULL") {
                try $0.decode(Int.self)
            } == 0
        }
    }
}

extension Trait where Self == FixtureTrait<NotificationsWorld> {
    static var service: Self { .fixture(NotificationsWorld.test) }
}

/// The routes of auth that notifications calls.
final class StubAuth: Sendable {
    struct State {
        var administrators: Set<AccountID> = []
        var isAway = false
    }

    let state = Mutex(State())

    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await StubService.run(addRoutes, body)
    }

    private func addRoutes(to router: Router<BasicRequestContext>) {
        router.get("/internal/members/:account") { _, context in
            let account = try context.parameters.require("account", as: AccountID.self)
            let (isAdministrator, isAway) = self.state.withLock { ($0.administrators.contains(account), $0.isAway) }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            guard account != 404 else { throw HTTPError(.notFound) }
            return #"{"nickname":"가람","role":"\#(isAdministrator ? "ROLE_ADMIN" : "ROLE_OWNER")"}"#
        }
        router.get("/internal/profiles/:account") { _, _ in HTTPResponse.Status.notFound }
        router.post("/internal/events") { _, _ in HTTPResponse.Status.noContent }
    }
}
