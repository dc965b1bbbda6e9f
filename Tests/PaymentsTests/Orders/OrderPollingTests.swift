import Authentication
import Contracts
import Events
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Postgres
import Profiles
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Payments
@testable import Sandbox

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct OrderPollingTests {
    private var database: PostgresClient { TestDatabase.current.client }
    private let orders = OrderStore()
    private let outbox = Outbox(subscribers: [])

    /// Runs a sandbox PortOne while `body` runs with its URL and its controls.
    private func withPortOne(
        _ body: @escaping @Sendable (_ url: String, any TestClientProtocol) async throws -> Void
    ) async throws {
        var settings = SandboxConfiguration()
        settings.port = 0
        settings.portOneWebhookURL = ""
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            try await body("http://127.0.0.1:\(sandbox.port ?? 0)/portone", sandbox)
        }
    }

    private func pay(_ code: String, _ won: Int64, at instant: Date, _ sandbox: any TestClientProtocol) async throws {
        let seconds = Int(instant.timeIntervalSince1970)
        let json = #"{"merchant_uid":"\#(code)","amount":\#(won),"paid_at":\#(seconds)}"#
        let headers: HTTPFields = [.contentType: "application/json"]
        let answer = try await sandbox.execute(
            uri: "/_control/payments",
            method: .post,
            headers: headers,
            body: ByteBuffer(string: json)
        ) { $0 }
        #expect(answer.status.kind == .successful)
    }

    private func state(of code: String) async throws -> Order.State? {
        try await orders.order(code: code, in: database)?.state
    }

    /// - Parameter isPrepared: whether the amount is registered at PortOne.
    private func insert(_ code: String, until end: Date, isPrepared: Bool = true) async throws {
        let order = Order(
            id: 0,
            app: .culture,
            code: code,
            account: 7,
            subject: "\(RoundGoods.post(1))",
            name: "후원하기",
            amount: 100,
            heldUntil: end,
            createdAt: end - 60,
            updatedAt: end - 60
        )
        try await database.transaction { transaction in
            let id = try #require(try await orders.insert(order, in: transaction))
            guard isPrepared else { return }
            _ = try await orders.prepare(id, at: end - 60, until: end, check: end, in: transaction)
        }
    }

    private func openOrders(
        _ url: String,
        now: @escaping @Sendable () -> Date,
        whenAsking: @escaping @Sendable () -> Void = {}
    ) -> OrderPolling {
        let portOne = PortOneClient(
            url: url,
            key: PaymentsConfiguration.developmentKey,
            secret: PaymentsConfiguration.developmentSecret,
            now: {
                whenAsking()
                return .now
            }
        )
        return OrderPolling(
            database: database,
            portOne: portOne,
            settlement: PaymentProcessor(outbox: outbox, takesTests: true, claimWindow: 60, now: now),
            outbox: outbox,
            refunds: AsyncSignal(),
            pause: 1,
            lease: 4,
            now: now
        )
    }

    @Test func paymentDuringPoll_countsAsInTime() async throws {
        try await withPortOne { url, sandbox in
            let end = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 - 100).rounded())
            let clock = Mutex(end - 1)
            // The hold ends while the request to PortOne is under way.
            let open = openOrders(url, now: { clock.withLock(\.self) }, whenAsking: { clock.withLock { $0 = end + 1 } })
            try await insert("ABCD000001", until: end)
            try await open.check("ABCD000001")
            #expect(try await state(of: "ABCD000001") == .open)
            try await pay("ABCD000001", 100, at: end - 1, sandbox)
            #expect(try await open.checkDue(), "the order is due again at once")
            #expect(try await state(of: "ABCD000001") == .paid)
        }
    }

    @Test func unpaidOrder_expiresAfterHold() async throws {
        try await withPortOne { url, sandbox in
            let end = Date(timeIntervalSince1970: 1_900_000_000)
            let open = openOrders(url) { end + 1 }
            try await insert("ABCD000001", until: end)
            #expect(try await open.checkDue())
            #expect(try await state(of: "ABCD000001") == .expired)
        }
    }

    @Test func abandon_expiresUnpreparedOrdersOnly() async throws {
        let end = Date.now + 60
        let open = openOrders("http://127.0.0.1:9") { .now }
        try await insert("ABCD000001", until: end)
        try await open.abandon("ABCD000001")
        #expect(try await state(of: "ABCD000001") == .open)
        try await database.execute("UPDATE orders SET prepared_at = NULL")
        try await open.abandon("ABCD000001")
        #expect(try await state(of: "ABCD000001") == .expired)
    }

    @Test func reorder_settlesEarlierPaidOrder() async throws {
        try await database.execute(
            "INSERT INTO people (account_id, app, public_id, nickname) VALUES (7, 'culture', \(PublicID.random()), '가람')"
        )
        try await withPortOne { url, sandbox in
            try await RoundStubs.all().run { stubs in
                let clock = Mutex(Date.now)
                var configuration = PaymentsConfiguration(database: TestDatabase.current.configuration)
                configuration.portOneURL = url
                configuration.now = { clock.withLock(\.self) }
                let absent = InternalClient(to: .estate, at: [stubs], from: configuration.host)
                let purchases = PaymentsDomain(
                    configuration,
                    database: database,
                    outbox: outbox,
                    people: People(database: database) { _ in nil },
                    estate: absent,
                    community: absent
                ).purchases
                let first = try await purchases.order("\(RoundGoods.post(1))", by: 7)
                try await pay(first.code, first.amount, at: .now, sandbox)
                clock.withLock { $0 += 601 }
                let second = try await purchases.order("\(RoundGoods.post(1))", by: 7)
                #expect(second.code != first.code)
                #expect(try await state(of: first.code) == .paid)
            }
        }
    }
}
