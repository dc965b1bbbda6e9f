import AsyncHTTPClient
import NIOCore
package import NIOHTTP1
package import Sockets

/// A simulated phone with one of the apps: sends the app's requests, and prints what the user would see.
package actor Phone {
    package enum Verb: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package nonisolated let gateway: String
    package nonisolated let sandbox: String
    package nonisolated let tell: @Sendable (String) -> Void
    package private(set) var headers: [(String, String)]
    /// The app's STOMP connection, and its unread messages by destination.
    package var socket: STOMPClient?
    package var inbox: [String: [STOMPFrame]] = [:]
    /// The ERROR frame with which the service closed the connection.
    package var farewell: String?

    /// - Parameters:
    ///   - gateway: The base URL of the app's requests.
    ///   - sandbox: The base URL of the user's actions outside the app.
    ///   - headers: Sent with every request of the app.
    package init(
        gateway: String,
        sandbox: String,
        headers: [(String, String)] = [],
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.gateway = gateway
        self.sandbox = sandbox
        self.headers = headers
        self.tell = tell
    }

    /// Creates another phone with the same gateway and sandbox.
    ///
    /// - Parameter name: The prefix of its printed lines.
    package func another(_ name: String) -> Phone {
        Phone(gateway: gateway, sandbox: sandbox, headers: headers) { [tell] text in
            tell(text.hasPrefix("\n  ") ? "\n  \(name): \(text.dropFirst(3))" : text)
        }
    }

    /// Stores a header for all later requests, as the app does with its access token.
    package func keep(_ name: String, _ value: String) {
        headers = headers.filter { $0.0 != name } + [(name, value)]
    }

    /// Performs an action of the user outside the app, emulated by the sandbox.
    package func outside(_ story: String, _ verb: Verb, _ path: String, body: JSON? = nil) async throws -> JSON {
        tell("\n  \(story)")
        return try await exchange(verb, sandbox, path, [], body, expecting: 200)
    }

    /// Sends a request of the app.
    ///
    /// - Parameter status: The expected status; any other status fails the scenario.
    /// - Returns: The body of the response, or `null` if it is empty.
    @discardableResult
    package func send(
        _ story: String,
        _ verb: Verb,
        _ path: String,
        headers extra: [(String, String)] = [],
        body: JSON? = nil,
        expecting status: UInt = 200
    ) async throws -> JSON {
        tell("\n  \(story)")
        return try await exchange(verb, gateway, path, headers + extra, body, expecting: status)
    }

    /// Sends a request with two valid statuses.
    ///
    /// - Returns: Whether the first one was returned.
    package func answers(
        _ verb: Verb,
        _ path: String,
        body: JSON,
        either first: UInt,
        or second: UInt
    ) async throws -> Bool {
        let answer = try await request(verb, gateway, path, headers, body)
        guard answer.status == first || answer.status == second else {
            throw StackError("\(verb.rawValue) \(path) answered \(answer.status): \(answer.text)")
        }
        return answer.status == first
    }

    private func exchange(
        _ verb: Verb,
        _ base: String,
        _ path: String,
        _ headers: [(String, String)],
        _ body: JSON?,
        expecting status: UInt
    ) async throws -> JSON {
        tell("    → \(verb.rawValue) \(path)\(body.map { "  \(Self.short($0))" } ?? "")")
        let start = ContinuousClock.now
        let answer = try await request(verb, base, path, headers, body)
        let (answered, text) = (answer.status, answer.text)
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        tell("    ← \(answered)\(text.isEmpty ? "" : "  \(Self.short(text))")  (\(milliseconds) ms)")

        guard answered == status else {
            throw StackError("\(verb.rawValue) \(path) answered \(answered) instead of \(status): \(text)")
        }
        guard !text.isEmpty else { return .null }
        guard let value = JSON(parsing: text.utf8) else {
            throw StackError("\(verb.rawValue) \(path) answered what is not JSON: \(text)")
        }
        return value
    }

    package struct Answer: Sendable {
        package var status: UInt
        package var headers: HTTPHeaders
        package var text: String
    }

    package func request(
        _ verb: Verb,
        _ base: String,
        _ path: String,
        _ headers: [(String, String)],
        _ body: JSON?
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: base + Self.encoded(path))
        request.method = HTTPMethod(rawValue: verb.rawValue)
        request.headers = HTTPHeaders(headers + [("Content-Type", "application/json")])
        if let body { request.body = .bytes(ByteBuffer(bytes: try body.encoded())) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(15))
        let text = String(buffer: try await response.body.collect(upTo: 8 << 20))
        return Answer(status: response.status.code, headers: response.headers, text: text)
    }

    package static func short(_ body: JSON) -> String {
        short((try? body.encoded()).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// One line for the terminal, with tokens and long bodies truncated.
    package static func short(_ text: String) -> String {
        var line = ""
        var word = ""
        for character in text + " " {
            if character.isASCII, character.isLetter || character.isNumber || "-_.".contains(character) {
                word.append(character)
                continue
            }
            line += word.count > 40 ? "\(word.prefix(12))…" : word
            line.append(character)
            word = ""
        }
        line.removeLast()
        return line.count > 200 ? "\(line.prefix(200))…" : line
    }

    /// Percent-encodes non-ASCII characters, as in `/stations?keyword=강남`.
    private static func encoded(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            text += byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
    }
}

extension JSON {
    /// A required text of the response.
    package func text(_ name: String) throws -> String {
        guard let text = self[name]?.string else { throw StackError("the answer has no text named \(name)") }
        return text
    }

    /// A required number of the response.
    package func number(_ name: String) throws -> Int64 {
        guard let number = self[name]?.integer else { throw StackError("the answer has no number named \(name)") }
        return number
    }
}
