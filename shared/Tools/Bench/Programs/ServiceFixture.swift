import Authentication
import Contracts
import FoundationEssentials
import StackKit

/// One service alone, on a free loopback port.
struct ServiceFixture: Sendable {
    /// The executable.
    let name: String
    let port: Int
    let databaseURL: String
    var environment: [String: String] = [:]

    /// An address without a server.
    static let closedURL = "http://127.0.0.1:9"

    /// Runs the service while `body` runs.
    func withService<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let own = ["HOST": "127.0.0.1", "PORT": "\(port)", "DATABASE_URL": databaseURL, "LOG_LEVEL": "error"]
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await BenchProgram.run(
                    "\(bench.executables)/\(name)",
                    [],
                    environment: environment.merging(own) { $1 }
                )
            }
            group.addTask {
                try await waitUntilReady()
                return try await body()
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("\(name) ended by itself")
        }
    }

    private func waitUntilReady() async throws {
        for _ in 0..<500 {
            if await Health.isReady("http://127.0.0.1:\(port)/readyz") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw StackError("\(name) does not become ready")
    }

    /// The gateway's identity header value for a request of an account.
    static func identity(
        of account: Int64,
        in app: App,
        _ method: String,
        _ path: String,
        to service: ServiceName
    ) -> String {
        sign(
            InternalIdentity(caller: .gateway, app: app, account: AccountID(rawValue: account), session: "bench"),
            method,
            path,
            to: service
        )
    }

    /// The identity header value of a request in development.
    static func sign(_ caller: InternalIdentity, _ method: String, _ path: String, to service: ServiceName) -> String {
        let key = InternalKeys.development(caller.caller).key(to: service)
        return caller.signed(method, path, with: key, now: Int64(Date.now.timeIntervalSince1970))
    }
}
