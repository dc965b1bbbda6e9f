import AppClients
import Apps
import AsyncHTTPClient

extension Person {
    /// How often a request that a rate limit refuses is sent, and the longest pause before.
    private static let (mostTries, longestPause) = (8, 30)

    /// Sends a request of a call.
    ///
    /// - Returns: nil if there was no answer, which is recorded.
    /// - Throws: `ConformanceError` when the server seems to have gone.
    func answer(to ask: Ask, _ call: ContractCall) async throws -> ClientResponse? {
        guard let method = call.httpMethod else { throw ConformanceError("\(call.name) is no request") }
        let path = Self.path(call.path, ask.values) + (ask.query.map { "?\($0)" } ?? "")
        do {
            let answer = try await send(method, path, headers: ask.headers, body: ask.body)
            try stage.results.answered(true)
            return answer
        } catch let error as ConformanceError {
            throw error
        } catch {
            let why = Self.sentence(error)
            stage.results.record(ask.call, as: ask.check, [Deviation("answer", expected: "one", came: why)])
            try stage.results.answered(false, "\(method.rawValue) \(path), \(why)")
            return nil
        }
    }

    /// Sends a request, again if a rate limit asks for that.
    func send(
        _ method: Operation.Method,
        _ path: String,
        headers: [String: String] = [:],
        body: RequestBody? = nil
    ) async throws -> ClientResponse {
        let all = connection.currentHeaders.merging(["Content-Type": "application/json"]) { $1 }
            .merging(headers) { $1 }.filter { !$0.value.isEmpty }
        var tries = 1
        while true {
            let answer = try await connection.transport.send(method, path, headers: all, body: body)
            guard answer.status == 429, tries < Self.mostTries else { return answer }
            tries += 1
            let pause = min(answer.header("Retry-After").flatMap { Int($0) } ?? 1, Self.longestPause)
            try await Task.sleep(for: .seconds(max(pause, 1)))
        }
    }

    /// The JSON of a call that is asked for its data only, and not compared.
    func look(_ path: String) async throws -> JSON { try await send(.get, path).json() }

    /// Waits a few seconds until a request has a status: what one service is asked to do, others learn a moment later. What
    /// comes then is compared by those who ask.
    func settle(
        _ method: Operation.Method,
        _ path: String,
        body: RequestBody? = nil,
        until fits: (Int) -> Bool = { $0 < 300 }
    ) async {
        try? await waitUntil("a request is answered otherwise", every: .milliseconds(100), atMost: .seconds(8)) {
            fits(try await send(method, path, body: body).status)
        }
    }

    /// The path with values in place of its variables, which may be several segments: `{path}`.
    static func path(_ template: String, _ values: [String]) -> String {
        var values = values[...]
        return template.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? values.popFirst() ?? "1" : String($0) }
            .joined(separator: "/")
    }

    /// Why a request had no answer, in words.
    package static func sentence(_ error: any Error) -> String {
        if let error = error as? ClientError { return error.description }
        guard let error = error as? HTTPClientError else { return words(String(describing: error)) }
        let known: [(HTTPClientError, String)] = [
            (.connectTimeout, "the connection was not accepted in time"),
            (.getConnectionFromPoolTimeout, "the connection was not accepted in time"),
            (.deadlineExceeded, "no answer within 30 seconds"), (.readTimeout, "no answer within 30 seconds"),
            (.remoteConnectionClosed, "the server closed the connection before it answered"),
        ]
        return known.first { $0.0 == error }?.1 ?? words(error.description)
    }

    private static func words(_ text: String) -> String {
        for (part, words) in [
            ("Connection refused", "nothing listens at this address"),
            ("ECONNREFUSED", "nothing listens at this address"),
            ("reset", "the connection was reset"), ("ECONNRESET", "the connection was reset"),
            ("ResolvedToNoAddress", "the host has no address"), ("NIOTooManyBytes", "the answer is longer than 8 MB"),
            ("handshake", "TLS failed"), ("invalid", "the answer is not HTTP"), ("HPE", "the answer is not HTTP"),
            ("unknownHost", "the host is not known"), ("getaddrinfo", "the host is not known"),
        ] where text.contains(part) { return words }
        return text.count > 120 ? "\(text.prefix(120))…" : text
    }
}
