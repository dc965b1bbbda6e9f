package import AsyncHTTPClient
package import Authentication
package import Contracts
import FoundationEssentials
import Glibc
import Logging
package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Tracing

/// An HTTP/JSON client for Madang's services. It sends the caller's identity and trace, enforces a deadline,
/// retries what cannot take effect twice within a budget, and has a circuit breaker.
package struct InternalClient: Sendable {
    private let target: ServiceName
    private let replicas: Replicas
    private let identity: InternalIdentity
    private let key: CallKey
    private let http: HTTPClient
    private let circuitBreaker: CircuitBreaker
    /// How long a read may take.
    private let readDeadline: Duration

    /// - Parameters:
    ///   - target: The called service.
    ///   - addresses: The base URLs of its replicas; a retry uses the next one.
    ///   - configuration: That of the calling service.
    package init(to target: ServiceName, at addresses: [String], from configuration: HostConfiguration) {
        self.init(
            to: target,
            at: addresses,
            keys: configuration.internalKeys,
            readDeadline: configuration.callDeadline
        )
    }

    /// - Parameters:
    ///   - target: The called service.
    ///   - addresses: The base URLs of its replicas; a retry uses the next one.
    ///   - keys: Those of the calling program.
    ///   - readDeadline: How long a read may take; a change has five seconds at least.
    package init(
        to target: ServiceName,
        at addresses: [String],
        keys: InternalKeys,
        readDeadline: Duration = .seconds(2),
        http: HTTPClient = Self.sharedConnections
    ) {
        self.readDeadline = readDeadline
        self.target = target
        self.replicas = Replicas(addresses)
        self.identity = InternalIdentity(caller: keys.program)
        self.key = keys.key(to: target)
        self.http = http
        self.circuitBreaker = CircuitBreaker(to: target.rawValue)
    }

    /// The connection settings. A refused connection fails immediately, and one to a host that does not answer after a
    /// second, so that a retry uses the next replica; by default AsyncHTTPClient retries the same address until the deadline.
    package static var connections: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(1)
        // A call does not wait until others, which may wait for something themselves, have ended: with 8, as by default, a
        // poll for the ends of sessions would wait seconds for refreshes.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        // The client's own spans would have the queries.
        configuration.tracing.tracer = nil
        return configuration
    }

    /// The connections shared by all clients that have no `HTTPClient` of their own.
    package static let sharedConnections = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: connections
    )

    /// Gets a value.
    ///
    /// - Throws: `InternalCallError`.
    package func get<Value: Decodable>(
        _ path: String,
        as type: Value.Type = Value.self,
        deadline: Duration? = nil
    ) async throws -> Value {
        try decode(await call(.GET, path, body: nil, repeatable: true, deadline: deadline ?? readDeadline).body)
    }

    /// Gets a file of up to 16 MiB.
    ///
    /// - Throws: `InternalCallError`.
    package func bytes(_ path: String) async throws -> ByteBuffer {
        let deadline = max(readDeadline, .seconds(10))
        return try await call(.GET, path, body: nil, repeatable: true, deadline: deadline).body
    }

    /// Posts a value.
    ///
    /// - Parameter repeatable: Whether the call is idempotent at the target.
    /// - Throws: `InternalCallError`.
    package func post(
        _ path: String,
        _ value: some Encodable,
        repeatable: Bool,
        deadline: Duration? = nil
    ) async throws {
        let json = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        try await post(path, json: json, repeatable: repeatable, deadline: deadline)
    }

    /// Posts a value and decodes the response.
    ///
    /// - Parameter repeatable: Whether the call is idempotent at the target.
    /// - Throws: `InternalCallError`.
    package func post<Value: Decodable>(
        _ path: String,
        _ value: some Encodable,
        as type: Value.Type,
        repeatable: Bool,
        deadline: Duration? = nil
    ) async throws -> Value {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(value))
        return try decode(await call(.POST, path, body: body, repeatable: repeatable, deadline: deadline).body)
    }

    package func post(
        _ path: String,
        json: String,
        repeatable: Bool,
        deadline: Duration? = nil
    ) async throws {
        _ = try await call(.POST, path, body: ByteBuffer(string: json), repeatable: repeatable, deadline: deadline)
    }

    package struct Response: Sendable {
        package var status: Int
        package var body: ByteBuffer
    }

    /// Posts JSON to an endpoint that explains a refusal in the body of its response.
    ///
    /// - Parameters:
    ///   - repeatable: Whether the call is idempotent at the target.
    ///   - refusal: The error status whose response is returned instead of thrown.
    ///   - key: The `Idempotency-Key`, for endpoints that take one.
    /// - Throws: `InternalCallError`.
    package func post(
        _ path: String,
        json: String,
        repeatable: Bool,
        accepting refusal: Int,
        idempotencyKey key: String? = nil,
        deadline: Duration? = nil
    ) async throws -> Response {
        let body = ByteBuffer(string: json)
        return try await call(
            .POST,
            path,
            body: body,
            idempotencyKey: key,
            repeatable: repeatable,
            accepting: refusal,
            deadline: deadline
        )
    }

    /// The number of attempts, without those that other addresses have refused.
    private static let attempts = 3

    private func call(
        _ method: HTTPMethod,
        _ path: String,
        body: ByteBuffer?,
        idempotencyKey key: String? = nil,
        repeatable: Bool,
        accepting refusal: Int? = nil,
        deadline: Duration?
    ) async throws -> Response {
        let end = ContinuousClock.now + (deadline ?? max(readDeadline, .seconds(5)))
        // Each retry goes to the next replica.
        let turn = replicas.turn()
        var attempt = 0
        while true {
            guard circuitBreaker.admits() else {
                Logger.current.warning("internal call: circuit breaker is open", metadata: ["target": "\(target)"])
                throw InternalCallError.unavailable(target.rawValue)
            }
            let address = replicas.address(turn + attempt)
            do {
                let isLast = attempt + 1 >= replicas.count
                let answer = try await send(
                    method,
                    address,
                    path,
                    body,
                    key,
                    accepting: refusal,
                    isLast: isLast,
                    until: end
                )
                circuitBreaker.succeeded()
                return answer
            } catch let error as InternalCallError where !error.isTransient {
                circuitBreaker.succeeded()
                throw error
            } catch {
                // A cancelled call is not a failure of the target.
                try Task.checkCancellation()
                // A refused connection has no effect and takes neither side's time: the target may be starting, and
                // answers as soon as it listens.
                let isRefused = error.isConnectionRefused
                if isRefused { replicas.refused(address) } else { circuitBreaker.failed() }
                attempt += 1
                // Another replica's load does not grow by what this one has refused, so that is no retry.
                let isElsewhere = isRefused && attempt < replicas.count
                guard
                    repeatable || isRefused, ContinuousClock.now < end,
                    isElsewhere || (attempt < Self.attempts && circuitBreaker.allowsRetry())
                else {
                    Logger.current.warning("internal call: failed", error: error, metadata: ["target": "\(target)"])
                    throw InternalCallError.unavailable(target.rawValue)
                }
                if !isElsewhere { try await Task.sleep(for: .milliseconds(Int.random(in: 10...50) * attempt)) }
            }
        }
    }

    /// Statuses by which services answer that there is no such thing, or that it is done already. Callers turn them into
    /// values, so they are no errors of a span, unlike other refusals, which are defects.
    private static let expectedRefusals = [404, 409]

    /// - Parameter isLast: Whether there is no other replica that may listen where this one does not, which is no error of
    ///   the call then.
    private func send(
        _ method: HTTPMethod,
        _ address: String,
        _ path: String,
        _ body: ByteBuffer?,
        _ idempotencyKey: String?,
        accepting refusal: Int?,
        isLast: Bool,
        until end: ContinuousClock.Instant
    ) async throws -> Response {
        let name = "\(method.rawValue) \(target)"
        return try await InstrumentationSystem.tracer.withSpan(name, ofKind: .client) { span in
            span.updateAttributes { attributes in
                attributes["http.request.method"] = method.rawValue
                // Not the path, in which there may be a ticket or a person's id; the target's span has the route.
                attributes["peer.service"] = target.rawValue
                attributes["server.address"] = address
            }
            let response: Response
            do {
                response = try await send(method, address, path, body, idempotencyKey, until: end, in: span.context)
            } catch  where !isLast && error.isConnectionRefused {
                span.attributes["error.type"] = "connection refused"
                return Result<Response, any Error>.failure(error)
            }
            let status = response.status
            span.attributes["http.response.status_code"] = status
            if (200..<300).contains(status) || status == refusal {
                return .success(response)
            }
            span.attributes["error.type"] = "\(status)"
            let error = InternalCallError.refused(target.rawValue, status: status)
            guard Self.expectedRefusals.contains(status) else { throw error }
            return .failure(error)
        }
        .get()
    }

    private func send(
        _ method: HTTPMethod,
        _ address: String,
        _ path: String,
        _ body: ByteBuffer?,
        _ idempotencyKey: String?,
        until end: ContinuousClock.Instant,
        in context: ServiceContext
    ) async throws -> Response {
        var request = HTTPClientRequest(url: address + path)
        request.method = method
        let now = Int64(Date.now.timeIntervalSince1970)
        request.headers.add(
            name: InternalIdentity.header,
            value: identity.signed(method.rawValue, path, with: key, now: now)
        )
        if !context.isUntraced {
            let trace = context.handedOnTrace ?? TraceContext()
            request.headers.add(name: TraceContext.header, value: trace.headerValue)
        }
        if let idempotencyKey { request.headers.add(name: "idempotency-key", value: idempotencyKey) }
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(body)
        }
        let left = ContinuousClock.now.duration(to: end)
        let response = try await http.execute(request, timeout: .nanoseconds(max(left.nanoseconds, 1_000_000)))
        let answer = try await response.body.collect(upTo: 16 * 1024 * 1024)
        return Response(status: Int(response.status.code), body: answer)
    }

    private func decode<Value: Decodable>(_ body: ByteBuffer) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
        } catch {
            throw InternalCallError.unreadable(target.rawValue)
        }
    }
}

extension Error {
    /// Whether no connection was made to any of the addresses that were tried.
    fileprivate var isConnectionRefused: Bool {
        switch self as any Error {
        case ChannelError.connectTimeout: true
        case let error as HTTPClientError: error == .connectTimeout
        case let error as IOError: error.errnoCode == ECONNREFUSED
        case let error as NIOConnectionError:
            !error.connectionErrors.isEmpty && error.connectionErrors.allSatisfy(\.error.isConnectionRefused)
        default: false
        }
    }
}
