import AppClients
import Apps
import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import Postgres
import PostgresServer
import StackKit
import Values

/// One replica of payments, the sandbox that emulates PortOne, and nginx in place of estate, on free loopback ports.
struct PaymentsFixture: Sendable {
    private let service: ServiceFixture
    private let sandbox: ServiceFixture
    private let estate: Int
    private let scratch: String

    /// The account of the orders.
    static let account: Int64 = 1

    init(_ bench: BenchContext, _ database: Database, environment: [String: String] = [:]) throws {
        let ports = try FreePort.find(3)
        scratch = bench.scratch
        estate = ports[2]
        sandbox = ServiceFixture(
            name: "sandbox",
            port: ports[1],
            databaseURL: "",
            environment: ["PORTONE_WEBHOOK_URL": ""]
        )
        service = ServiceFixture(
            name: "payments",
            port: ports[0],
            databaseURL: try database.url(role: "payments"),
            environment: [
                "AUTH_URL": ServiceFixture.closedURL, "COMMUNITY_URL": ServiceFixture.closedURL,
                "NOTIFICATIONS_URL": ServiceFixture.closedURL,
                "ESTATE_URL": "http://127.0.0.1:\(ports[2])", "PORTONE_URL": "http://127.0.0.1:\(ports[1])/portone",
            ].merging(environment) { $1 }
        )
    }

    /// Runs the three programs while `body` runs.
    func withPrograms<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try nginx().write(toFile: "\(scratch)/nginx.conf", atomically: false, encoding: .utf8)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await BenchProgram.run("nginx", ["-p", scratch, "-c", "\(scratch)/nginx.conf"]) }
            group.addTask { try await withServices(bench, body) }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("the programs have exited")
        }
    }

    /// Runs payments and the sandbox, without estate, while `body` runs.
    func withServices<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await sandbox.withService(bench) { try await service.withService(bench, body) }
    }

    /// nginx's configuration: every requested listing exists.
    private func nginx() throws -> String {
        let listings = EstateAPI.Listings(listings: [Self.listing("$arg_ids")])
        let answer = String(decoding: try JSONEncoder().encode(listings), as: UTF8.self)
        return """
            daemon off; worker_processes 1; pid \(scratch)/nginx.pid; error_log stderr crit;
            events { worker_connections 1024; }
            http {
                access_log off; keepalive_requests 1000000000; default_type application/json;
                server {
                    listen 127.0.0.1:\(estate);
                    location / { return 200 '\(answer)'; }
                }
            }
            """
    }

    static func listing(_ id: String) -> EstateAPI.Listing {
        let at = Date(timeIntervalSince1970: 1_700_000_000)
        return EstateAPI.Listing(
            id: PublicID(unchecked: id),
            category: "원룸",
            title: "햇살이 드는 원룸",
            introduction: "역에서 5분",
            thumbnails: ["a.jpg"],
            reservationPrice: 100_000,
            deposit: 10_000_000,
            monthlyRent: 550_000,
            builtYear: "2018-05-01",
            area: 24.5,
            floors: 3,
            latitude: 37.65,
            longitude: 127.04,
            creator: EstateAPI.Creator(
                account: AccountID(rawValue: 9),
                publicID: PublicID(unchecked: String(repeating: "9", count: 24))
            ),
            isReserved: false,
            createdAt: at,
            updatedAt: at
        )
    }

    /// The port of payments.
    var port: Int { service.port }

    // MARK: Calls

    private struct Comparison: Decodable {
        var isFinished: Bool
    }

    /// Compares yesterday with PortOne, and all payments with the ledger.
    ///
    /// - Returns: What it took, and how far the memory of the service rose above what it was.
    func compare() async throws -> (seconds: Double, megabytes: Double) {
        guard let process = ProcessMemory.child("payments"), let before = ProcessMemory.resident(process) else {
            throw StackError("payments is not running")
        }
        try ProcessMemory.resetPeak(of: process)
        let day = SeoulTime.date(of: .now) + -1
        let start = ContinuousClock.now
        let path = "/internal/comparisons/\(day)"
        let url = "http://127.0.0.1:\(port)\(path)"
        func header(_ method: String) -> (String, String) {
            let caller = InternalIdentity(caller: .stack)
            return (InternalIdentity.header, ServiceFixture.sign(caller, method, path, to: .payments))
        }
        // Refused if the service has begun by itself, which it does after four o'clock in Seoul.
        _ = try? await send(.POST, url, [header("POST")], timeout: .hours(1))
        while true {
            let answer = try await send(.GET, url, [header("GET")])
            if try JSONDecoder().decode(Comparison.self, from: Data(answer.readableBytesView)).isFinished { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        let peak = ProcessMemory.peak(process) ?? before
        return ((ContinuousClock.now - start) / .seconds(1), Double(peak - before) / 1_000_000)
    }

    func order(_ listing: String) async throws {
        _ = try await post("v1/orders", #"{"estate_id":"\#(listing)"}"#)
    }

    /// Lets the service verify a payment at PortOne.
    func validate(_ impUID: String) async throws {
        _ = try await post("v1/payments/validation", #"{"imp_uid":"\#(impUID)"}"#)
    }

    private func post(_ path: String, _ json: String) async throws -> ByteBuffer {
        let identity = ServiceFixture.identity(of: Self.account, in: .anlaka, "POST", "/\(path)", to: .payments)
        let header = (InternalIdentity.header, identity)
        return try await send(.POST, "http://127.0.0.1:\(service.port)/\(path)", [header], json)
    }

    /// Gets a payment from PortOne.
    func payment(_ impUID: String, token: String) async throws {
        let url = "http://127.0.0.1:\(sandbox.port)/portone/payments/\(impUID)"
        _ = try await send(.GET, url, [("Authorization", token)])
    }

    /// Pays an order in PortOne's window and returns the payment's `imp_uid`.
    func pay(_ code: String) async throws -> String {
        try await SandboxClient("http://127.0.0.1:\(sandbox.port)").pay(code, 100_000)
    }

    func token() async throws -> String {
        let keys: RequestBody = [
            "imp_key": "madang-development-portone-key", "imp_secret": "madang-development-portone-secret",
        ]
        let portOne = HTTPTransport("http://127.0.0.1:\(sandbox.port)/portone")
        let answer = try await portOne.send(.post, "/users/getToken", body: keys).json()
        return try (answer["response"] ?? .null).text("access_token")
    }

    private func send(
        _ method: HTTPMethod,
        _ url: String,
        _ headers: [(String, String)],
        _ json: String? = nil,
        timeout: TimeAmount = .seconds(30)
    ) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        let answer = try await HTTPClient.shared.execute(request, timeout: timeout)
        let body = try await answer.body.collect(upTo: 1 << 20)
        guard answer.status == .ok else { throw StackError("\(url): \(answer.status.code) \(String(buffer: body))") }
        return body
    }
}
