import AsyncHTTPClient
package import Authentication
import FoundationEssentials
import Glibc
package import NIOCore
package import NIOHTTP1
import PostgresServer
import ServiceKit
import Synchronization

/// Several of our programs, each in a process of its own on a loopback port of its own, to be started, killed and called.
package final class ProgramHouse: Sendable {
    /// One of them.
    package struct Member: Sendable {
        /// The executable.
        var program: String
        /// Added to the environment; `HOST`, `PORT` and `LOG_LEVEL` are there.
        var environment: [String: String]
        /// Answers 200 when the program can be used.
        var readyPath: String

        package init(_ program: String, readyPath: String = "/readyz", environment: [String: String] = [:]) {
            self.program = program
            self.environment = environment
            self.readyPath = readyPath
        }
    }

    package struct Answer: Sendable {
        package var status: Int
        package var body: ByteBuffer

        package var text: String { String(buffer: body) }

        package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
        }
    }

    private let name: String
    private let members: [String: Member]
    private let ports: [String: Int]
    private let http: HTTPClient
    private let running = Mutex<[String: ProgramProcess]>([:])

    /// - Parameters:
    ///   - name: of the test, for the names of files.
    ///   - names: what the members are called.
    ///   - member: one of them, who may need to know where the others are.
    package init(
        _ name: String,
        _ names: [String],
        member: (_ name: String, _ url: @escaping (String) -> String) throws -> Member
    ) throws {
        self.name = name
        let ports = Dictionary(uniqueKeysWithValues: try names.map { ($0, try FreePort.find()) })
        self.ports = ports
        let url = { (name: String) in "http://127.0.0.1:\(ports[name] ?? 0)" }
        members = Dictionary(uniqueKeysWithValues: try names.map { ($0, try member($0, url)) })
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        // Or one that is up again would be left alone for seconds, because it was down before.
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    package func url(_ name: String) -> String { "http://127.0.0.1:\(ports[name] ?? 0)" }

    /// Starts one, and waits until it can be used.
    package func start(_ name: String) async throws {
        guard let member = members[name] else { throw NotReady(name: name, log: "there is none of this name") }
        let own = ["HOST": "127.0.0.1", "PORT": "\(ports[name] ?? 0)", "LOG_LEVEL": "warning"]
        let environment = own.merging(member.environment) { $1 }
        let process = try await ProgramProcess.start(member.program, environment: environment, log: log(name))
        running.withLock { $0[name] = process }
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(60) {
            let request = HTTPClientRequest(url: url(name) + member.readyPath)
            if (try? await http.execute(request, timeout: .seconds(1)))?.status == .ok { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotReady(name: name, log: text(name))
    }

    /// As `kill -9` does.
    package func kill(_ name: String) async {
        await running.withLock { $0.removeValue(forKey: name) }?.end()
    }

    /// Calls one as somebody of ours.
    ///
    /// - Throws: when it is gone before it has answered.
    package func call(
        _ name: String,
        _ method: HTTPMethod,
        _ path: String,
        json: String? = nil,
        as identity: InternalIdentity? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url(name) + path)
        request.method = method
        if let identity {
            let now = Int64(Date.now.timeIntervalSince1970)
            request.headers.add(name: InternalIdentity.header, value: identity.signed(with: .development, now: now))
        }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        let answer = try await http.execute(request, timeout: .seconds(30))
        return Answer(status: Int(answer.status.code), body: try await answer.body.collect(upTo: 1 << 28))
    }

    /// What one has printed last.
    package func text(_ name: String) -> String {
        String(((try? String(contentsOfFile: log(name), encoding: .utf8)) ?? "").suffix(4000))
    }

    private func log(_ member: String) -> String { "/tmp/\(name)-\(getpid())-\(member).log" }

    /// Kills those that run, and leaves nothing behind.
    package func shutDown() async throws {
        for member in members.keys {
            await kill(member)
            try? FileManager.default.removeItem(atPath: log(member))
        }
        try await http.shutdown()
    }

    package struct NotReady: Error {
        var name: String
        var log: String
    }
}
