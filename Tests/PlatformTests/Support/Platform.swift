import AppClients
import Apps
import Contracts
import Files
import FoundationEssentials
import NIOCore
import PostgresServer
import ServiceKit
import TestKit

@testable import Auth
@testable import Chat
@testable import Community
@testable import Estate
@testable import Gateway
@testable import Notifications
@testable import Payments
@testable import Sandbox
@testable import Seats
@testable import Workforce

/// The whole platform in one process: the sandbox, the services, each on a schema of its own, and the gateway in front.
struct Platform: Sendable {
    let gateway: String
    let sandbox: String
    let auth: ServiceRunner
    /// The replicas of the service, all on one schema.
    let seatsCopies: [ServiceRunner]
    let seatsURLs: [String]
    let authURL: String
    let authDatabase: TestDatabase
    let seatsDatabase: TestDatabase
    let workforceDatabase: TestDatabase
    let estateDatabase: TestDatabase
    let communityDatabase: TestDatabase
    let chatDatabase: TestDatabase
    let paymentsDatabase: TestDatabase
    let notificationsDatabase: TestDatabase
    /// The replicas of the service, all on one schema.
    let chatCopies: [ServiceRunner]

    var seats: ServiceRunner { seatsCopies[0] }

    /// Starts a replica of seats that was stopped, and returns when it serves.
    func startSeats(_ index: Int) async throws {
        try await seatsCopies[index].start()
        try await eventually {
            try await seatsCopies[index].check()
            return (try? await HTTPTransport(seatsURLs[index]).send(.get, "/readyz").status) == 200
        }
    }

    /// - Parameters:
    ///   - adjust: changes auth's settings.
    ///   - copies: the number of replicas of seats. Sockets are spread over them in turn.
    ///   - chats: the number of replicas of chat.
    ///   - documents: whether the gateway collects the services' API documents, which takes a while.
    ///   - adjustSeats: changes the settings of seats.
    ///   - adjustPayments: changes the settings of payments.
    ///   - adjustWorkforce: changes the settings of workforce.
    static func test(
        _ adjust: @escaping @Sendable (inout AuthConfiguration) -> Void = { _ in },
        copies: Int = 1,
        chats: Int = 1,
        documents: Bool = false,
        seats adjustSeats: @escaping @Sendable (inout SeatsConfiguration) -> Void = { _ in },
        payments adjustPayments: @escaping @Sendable (inout PaymentsConfiguration) -> Void = { _ in },
        workforce adjustWorkforce: @escaping @Sendable (inout WorkforceConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Platform) async throws -> Void
    ) async throws {
        let schemas = [
            Auth.Migrations.all, Seats.Migrations.all, Workforce.Migrations.all, Estate.Migrations.all,
            Community.Migrations.all, Chat.Migrations.all, Payments.Migrations.all, Notifications.Migrations.all,
        ]
        try await TestDatabase.with(schemas) { databases in
            var seats = SeatsConfiguration(database: databases[1].configuration)
            adjustSeats(&seats)
            var payments = PaymentsConfiguration(database: databases[6].configuration)
            adjustPayments(&payments)
            var workforce = WorkforceConfiguration(database: databases[2].configuration)
            adjustWorkforce(&workforce)
            let settings = (seats, payments, workforce)
            try await run(databases, settings, copies, chats: chats, documents: documents, adjust, body)
        }
    }

    private static func run(
        _ databases: [TestDatabase],
        _ settings: (SeatsConfiguration, PaymentsConfiguration, WorkforceConfiguration),
        _ copies: Int,
        chats: Int,
        documents: Bool,
        _ adjust: @escaping @Sendable (inout AuthConfiguration) -> Void,
        _ body: @escaping @Sendable (Platform) async throws -> Void
    ) async throws {
        var (seats, payments, workforce) = settings
        let paymentsPort = try FreePort.find()
        let paymentsURL = "http://127.0.0.1:\(paymentsPort)"
        let notificationsPort = try FreePort.find()
        let notificationsURL = "http://127.0.0.1:\(notificationsPort)"
        let ports = try FreePort.find(6 + copies)
        let urls = ports.map { "http://127.0.0.1:\($0)" }
        let chatPorts = try FreePort.find(chats)
        let chatURLs = chatPorts.map { "http://127.0.0.1:\($0)" }
        var settings = SandboxConfiguration()
        settings.port = ports[0]
        settings.portOneWebhookURL = urls[2] + "/notices/portone"
        var auth = AuthConfiguration(database: databases[0].configuration)
        auth.host.port = ports[1]
        auth.providers.move(to: urls[0])
        auth.workforceURLs = [urls[3]]
        auth.estateURLs = [urls[4]]
        auth.communityURLs = [urls[5]]
        auth.chatURLs = chatURLs
        auth.paymentsURLs = [paymentsURL]
        auth.notificationsURLs = [notificationsURL]
        auth.seatsURLs = Array(urls[6...])
        auth.passwordCost = .least
        auth.noticeSpool = FileManager.default.temporaryDirectory.appending(path: "madang-\(UUID())").path()
        adjust(&auth)
        var gateway = GatewayConfiguration()
        gateway.port = ports[2]
        gateway.adminPort = 0
        gateway.threads = 1
        gateway.accessLog = false
        // A busy machine takes longer than a gateway waits.
        gateway.limits.moveTime = .seconds(200)
        gateway.limits.moveAttemptTime = .seconds(200)
        if !documents { gateway.documentInterval = .seconds(3600) }
        gateway.upstreams = [
            .auth: [urls[1]], .workforce: [urls[3]], .estate: [urls[4]], .community: [urls[5]],
            .seats: Array(urls[6...]), .chat: chatURLs, .payments: [paymentsURL],
            .notifications: [notificationsURL],
        ]
        gateway.appKeys = [AppKey.anlaka: .anlaka, AppKey.culture: .culture]

        workforce.host.port = ports[3]
        workforce.authURLs = [urls[1]]
        workforce.notificationsURLs = [notificationsURL]
        var estate = EstateConfiguration(database: databases[3].configuration)
        estate.host.port = ports[4]
        estate.authURLs = [urls[1]]
        estate.communityURLs = [urls[5]]
        estate.kakaoURL = "\(urls[0])/kakao"
        var community = CommunityConfiguration(database: databases[4].configuration)
        community.host.port = ports[5]
        community.authURLs = [urls[1]]
        community.notificationsURLs = [notificationsURL]
        community.publicURL = urls[2]
        community.chatURLs = chatURLs
        community.seoulURL = "\(urls[0])/seoul"
        seats.authURLs = [urls[1]]
        seats.notificationsURLs = [notificationsURL]
        seats.seoulURL = "\(urls[0])/seoul"
        let seatsCopies = ports[6...].map { port in
            var seats = seats
            seats.host.port = port
            return ServiceRunner { [seats] in try buildSeats(seats, logger: .quiet) }
        }
        var chat = ChatConfiguration(database: databases[5].configuration)
        chat.authURLs = [urls[1]]
        chat.notificationsURLs = [notificationsURL]
        chat.communityURLs = [urls[5]]
        let chatCopies = chatPorts.map { port in
            var chat = chat
            chat.host.port = port
            return ServiceRunner { [chat] in try buildChat(chat, logger: .quiet) }
        }
        payments.host.port = paymentsPort
        payments.authURLs = [urls[1]]
        payments.notificationsURLs = [notificationsURL]
        payments.estateURLs = [urls[4]]
        payments.communityURLs = [urls[5]]
        payments.portOneURL = "\(urls[0])/portone"
        let paymentsRunner = ServiceRunner { [payments] in try buildPayments(payments, logger: .quiet) }
        var notifications = NotificationsConfiguration(database: databases[7].configuration)
        notifications.host.port = notificationsPort
        notifications.authURLs = [urls[1]]
        notifications.fcmURL = "\(urls[0])/fcm"
        notifications.fcmCredentials = FCMCredentials(pattern: "\(urls[0])/_control/fcm/service-accounts/madang-*")
        let notificationsRunner = ServiceRunner { [notifications] in
            try buildNotifications(notifications, logger: .quiet)
        }
        let runners =
            [
                ServiceRunner { [settings] in try buildSandbox(settings, logger: .quiet) },
                ServiceRunner { [auth] in try buildAuth(auth, logger: .quiet) },
                ServiceRunner { [workforce] in try buildWorkforce(workforce, logger: .quiet) },
                ServiceRunner { [estate] in try buildEstate(estate, logger: .quiet) },
                ServiceRunner { [community] in try buildCommunity(community, logger: .quiet) },
            ] + seatsCopies + chatCopies
            + [
                paymentsRunner, notificationsRunner,
                ServiceRunner { [gateway] in try await GatewayService.build(gateway, logger: .quiet) },
            ]
        for runner in runners.dropLast() { try await runner.start() }
        let platform = Platform(
            gateway: urls[2],
            sandbox: urls[0],
            auth: runners[1],
            seatsCopies: seatsCopies,
            seatsURLs: Array(urls[6...]),
            authURL: urls[1],
            authDatabase: databases[0],
            seatsDatabase: databases[1],
            workforceDatabase: databases[2],
            estateDatabase: databases[3],
            communityDatabase: databases[4],
            chatDatabase: databases[5],
            paymentsDatabase: databases[6],
            notificationsDatabase: databases[7],
            chatCopies: chatCopies
        )
        let outcome: Result<Void, any Error>
        do {
            // Otherwise the gateway takes a replica that is slow to start for one that is down, and gives every socket
            // to the other.
            let waited = urls[3...] + chatURLs + [paymentsURL, notificationsURL]
            for (url, copy) in zip(
                waited,
                runners[2...4] + seatsCopies + chatCopies + [paymentsRunner, notificationsRunner]
            ) {
                try await eventually {
                    try await copy.check()
                    return (try? await HTTPTransport(url).send(.get, "/readyz").status) == 200
                }
            }
            try await runners.last?.start()
            try await platform.settled()
            try await platform.sight(["2234", "2999", "2001"] + (3001...3010).map(String.init))
            try await body(platform)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        for runner in runners.reversed() { try await runner.stop() }
        for folder in [auth.files.folder, estate.files.folder, community.files.folder, chat.files.folder] {
            try? FileManager.default.removeItem(atPath: folder)
        }
        try outcome.get()
    }

    /// Waits until sign-in and search work.
    func settled() async throws {
        let visitor = SeatCatcherClient(gateway)
        try await eventually {
            try await auth.check()
            for copy in seatsCopies { try await copy.check() }
            let auth = try? await visitor.send(\.refreshTokens, body: [:]).status
            let seats = try? await visitor.send(\.searchStations, headers: ["Authorization": "Bearer x"]).status
            let sandbox = try? await HTTPTransport(sandbox).send(.get, "/healthz").status
            guard auth == 401, seats == 401, sandbox == 200, let client = try? await signIn(kakao: 1) else {
                return false
            }
            return try await client.send(\.getStation, 1).status == 200
        }
    }
}
