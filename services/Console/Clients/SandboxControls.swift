import AsyncHTTPClient
import FoundationEssentials
import ServiceKit

/// The stand-in for providers in development: what it has been sent, and its failures.
struct SandboxControls: Sendable {
    private let connection: ProviderConnection

    /// The ways in which calls of a provider can fail.
    static let kinds = ["timeout", "lost", "slow", "http"]
    private static let listLength = "20"

    init(url: String) {
        connection = ProviderConnection(
            provider: "sandbox",
            baseURL: "\(url)/_control",
            http: InternalClient.sharedConnections,
            timeout: .seconds(2)
        )
    }

    /// A bad day: the next calls of a provider fail in one way.
    struct Fault: Codable, Sendable, Equatable {
        var provider: String
        var kind: String
        /// The number of calls that are left.
        var count: Int
        var status: Int?
    }

    struct Text: Decodable, Sendable, Equatable {
        var to: String
        var text: String
        var at: String
    }

    struct Push: Decodable, Sendable, Equatable {
        var title: String?
        var subtitle: String?
        var body: String?
        /// The Firebase project, as `madang-moup`.
        var project: String
        var at: String
    }

    struct Payment: Decodable, Sendable, Equatable {
        var impUid: String
        var merchantUid: String
        var amount: Double
        var status: String

        private enum CodingKeys: String, CodingKey {
            case amount, status
            case impUid = "imp_uid"
            case merchantUid = "merchant_uid"
        }
    }

    struct Train: Decodable, Sendable, Equatable {
        var number: String
        var line: String
        var destination: String
    }

    struct Faults: Decodable, Sendable {
        /// The names of all providers.
        var providers: [String]
        var faults: [Fault]
    }

    private struct Texts: Decodable {
        var messages: [Text]
    }

    private struct Pushes: Decodable {
        var messages: [Push]
    }

    private struct Payments: Decodable {
        var payments: [Payment]
    }

    private struct Trains: Decodable {
        var trains: [Train]
    }

    // MARK: What it has

    /// - Throws: `ProviderUnavailable`, here and below.
    func faults() async throws -> Faults { try await get("/faults", as: Faults.self) }

    /// The newest text messages.
    func texts() async throws -> [Text] {
        try await get("/sms", ["limit": Self.listLength], as: Texts.self).messages
    }

    /// The newest pushes, or the one with an id (`apns-id`).
    func pushes(id: String? = nil) async throws -> [Push] {
        var query = ["limit": Self.listLength]
        query["id"] = id
        return try await get("/push", query, as: Pushes.self).messages
    }

    /// The newest payments.
    func payments() async throws -> [Payment] {
        try await get("/payments", ["limit": Self.listLength], as: Payments.self).payments
    }

    /// The trains that were placed in addition to the timetable.
    func trains() async throws -> [Train] { try await get("/trains", as: Trains.self).trains }

    private func get<Answer: Decodable>(
        _ path: String,
        _ query: [String: String] = [:],
        as type: Answer.Type
    ) async throws -> Answer {
        guard let answer = try await connection.get(path, query: query).value(Answer.self) else {
            throw connection.unavailable
        }
        return answer
    }

    // MARK: Its failures

    /// Has the next calls of a provider fail; a count of 0 ends that.
    ///
    /// - Returns: Why it is refused; nil if it is not.
    func set(_ fault: Fault) async throws -> String? {
        let answer = try await connection.post("/faults", json: fault)
        return answer.status < 300 ? nil : answer.value(Refusal.self)?.message ?? "\(answer.status)"
    }

    /// Has PortOne send the webhook of a payment once more.
    ///
    /// - Returns: The status of the response; nil without one, or without such a payment.
    func sendWebhook(of payment: String) async throws -> Int? {
        let path = "/payments/\(PercentEncoding.encoded(payment))/webhook"
        let answer = try await connection.post(path, json: [String: String]())
        return answer.value(Statuses.self)?.statuses.first ?? nil
    }

    private struct Refusal: Decodable {
        var message: String
    }

    private struct Statuses: Decodable {
        var statuses: [Int?]
    }
}
