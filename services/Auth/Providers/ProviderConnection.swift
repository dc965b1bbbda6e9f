import AsyncHTTPClient
import FoundationEssentials
import Logging
import NIOCore
import NIOHTTP1

/// How a provider's HTTP API is called. No call is repeated by itself: codes are good once.
struct ProviderConnection: Sendable {
    /// For people: `Kakao`.
    let provider: String
    let baseURL: String
    let http: HTTPClient

    /// How long an answer may take.
    static let patience = TimeAmount.seconds(5)

    func get(_ path: String, authorization: String? = nil) async throws -> ProviderAnswer {
        try await send(.GET, path, authorization, type: nil, body: nil)
    }

    func post(_ path: String, form: [String: String], authorization: String? = nil) async throws -> ProviderAnswer {
        let fields = form.sorted { $0.key < $1.key }.map { "\($0)=\(Self.encoded($1))" }
        let body = ByteBuffer(string: fields.joined(separator: "&"))
        return try await send(.POST, path, authorization, type: "application/x-www-form-urlencoded", body: body)
    }

    func post(_ path: String, json: some Encodable, authorization: String? = nil) async throws -> ProviderAnswer {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(json))
        return try await send(.POST, path, authorization, type: "application/json", body: body)
    }

    /// The provider refuses us, not the person: a setting is wrong, and whoever runs this has to hear of it.
    func refusesUs(_ answer: ProviderAnswer, _ call: String) -> ProviderUnavailable {
        Logger.current.error(
            "a provider refuses our credentials",
            metadata: ["provider": "\(provider)", "call": "\(call)", "status": "\(answer.status)"]
        )
        return unavailable
    }

    var unavailable: ProviderUnavailable { ProviderUnavailable(provider: provider) }

    /// - Throws: `ProviderUnavailable` without an answer in time, and for one of 429 or 5xx.
    private func send(
        _ method: HTTPMethod,
        _ path: String,
        _ authorization: String?,
        type: String?,
        body: ByteBuffer?
    ) async throws -> ProviderAnswer {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = method
        if let authorization { request.headers.add(name: "authorization", value: authorization) }
        if let type { request.headers.add(name: "content-type", value: "\(type);charset=utf-8") }
        if let body { request.body = .bytes(body) }
        let answer: ProviderAnswer
        do {
            let response = try await http.execute(request, timeout: Self.patience)
            let body = try await response.body.collect(upTo: 256 * 1024)
            answer = ProviderAnswer(status: Int(response.status.code), body: Data(body.readableBytesView))
        } catch {
            throw unavailable
        }
        guard answer.status != 429, answer.status < 500 else { throw unavailable }
        return answer
    }

    /// A value of `application/x-www-form-urlencoded`: everything but unreserved characters as `%XX`.
    private static func encoded(_ value: String) -> String {
        value.utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += byte < 16 ? "%0" : "%"
                text += String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

/// What a provider answers.
struct ProviderAnswer: Sendable {
    var status: Int
    var body: Data

    /// The body as a value; nil when it is something else.
    func value<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
        try? JSONDecoder().decode(Value.self, from: body)
    }

    /// The `error` of a refusal by RFC 6749 §5.2.
    var error: String? { value(Refusal.self)?.error }

    private struct Refusal: Decodable {
        var error: String
    }
}
