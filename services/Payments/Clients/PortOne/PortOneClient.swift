import AsyncHTTPClient
import FoundationEssentials
import Logging
import ServiceKit

/// PortOne's REST API, version 1 (Anlaka contract 6.1; PortOne's documentation). Every response is `{code, message,
/// response}`, and some errors have status 200.
struct PortOneClient: Sendable {
    private let connection: ProviderConnection
    private let token: PortOneToken

    init(
        url: String,
        key: String,
        secret: String,
        http: HTTPClient = .untraced,
        timeout: Duration = .seconds(10),
        now: @escaping @Sendable () -> Date
    ) {
        let connection = ProviderConnection(provider: "PortOne", baseURL: url, http: http, timeout: timeout)
        self.connection = connection
        token = PortOneToken(connection: connection, key: key, secret: secret, now: now)
    }

    /// The current state of a payment; nil when it does not exist.
    ///
    /// - Throws: `ProviderUnavailable`, like all methods.
    func payment(_ impUID: ImpUID) async throws -> PaymentReport? {
        let answer = try await ask { try await connection.get("/payments/\(impUID)", authorization: $0) }
        guard answer.status != 404 else { return nil }
        return try report(of: impUID, read(answer, PortOneAnswers.Payment.self))
    }

    /// - Throws: `ProviderUnavailable` when the payment is invalid or not the requested one.
    private func report(of impUID: ImpUID, _ payment: PortOneAnswers.Payment) throws -> PaymentReport {
        let report = try payment.report(or: connection.unavailable)
        guard report.impUID == impUID else { throw connection.unavailable }
        return report
    }

    /// All payments under an order code, newest first. An unreadable one is left out, so that the others are still
    /// processed; the daily reconciliation reports it.
    func payments(under code: String) async throws -> [PaymentReport] {
        let all = try await tries("/payments/findAll/\(code.percentEncoded)")
        // With more than one page, only the paid ones are read.
        let isWhole = all?.next ?? 0 == 0
        let list = isWhole ? all : try await tries("/payments/findAll/\(code.percentEncoded)/paid")
        return list?.list.compactMap(\.report).filter { $0.merchantUID == code } ?? []
    }

    private func tries(_ path: String) async throws -> PortOneAnswers.Page? {
        let answer = try await ask { try await connection.get(path, query: ["limit": "100"], authorization: $0) }
        return answer.status == 404 ? nil : try read(answer, PortOneAnswers.Page.self)
    }

    /// A page of payments.
    struct Page: Sendable {
        var reports: [PaymentReport]
        /// IDs of unreadable payments.
        var unreadable: [String]
        var isLast: Bool
    }

    /// A page of the payments that were started in a period.
    ///
    /// - Parameter page: Starts at 1.
    func payments(from start: Date, to end: Date, page: Int, limit: Int) async throws -> Page {
        let query = [
            "from": "\(Int64(start.timeIntervalSince1970))", "to": "\(Int64(end.timeIntervalSince1970))",
            "page": "\(page)", "limit": "\(limit)", "sorting": "started",
        ]
        let answer = try await ask {
            try await connection.get("/payments/status/all", query: query, authorization: $0)
        }
        guard answer.status != 404 else { return Page(reports: [], unreadable: [], isLast: true) }
        let list = try read(answer, PortOneAnswers.Page.self)
        return Page(
            reports: list.list.compactMap(\.report),
            unreadable: list.list.filter { $0.report == nil }.map(\.impUID),
            isLast: list.next == 0
        )
    }

    /// Registers the amount of an order, so that PortOne accepts no other. Idempotent.
    func prepare(_ code: String, _ money: Money) async throws {
        let amount = PortOneAnswers.Prepared(code: code, amount: money.units)
        let answer = try await ask { try await connection.post("/payments/prepare", json: amount, authorization: $0) }
        guard try response(answer, PortOneAnswers.Prepared.self).code != 0 else { return }
        // The order was registered before.
        let change = try await ask { try await connection.put("/payments/prepare", json: amount, authorization: $0) }
        _ = try read(change, PortOneAnswers.Prepared.self)
    }

    /// Refunds an amount.
    ///
    /// - Parameter report: The current state of the payment. PortOne refuses when it holds another amount.
    /// - Returns: The state after the refund.
    /// - Throws: Also `PortOneRefusal`.
    func cancel(_ report: PaymentReport, _ money: Money, because reason: String) async throws -> PaymentReport {
        let cancel = PortOneAnswers.Cancel(
            impUID: report.impUID.rawValue,
            amount: money.units,
            checksum: report.held.units,
            reason: reason
        )
        let answer = try await ask { try await connection.post("/payments/cancel", json: cancel, authorization: $0) }
        let response = try response(answer, PortOneAnswers.Payment.self)
        guard response.code == 0 else { throw PortOneRefusal(message: response.message ?? "code \(response.code)") }
        guard let payment = response.value else { throw connection.unavailable }
        return try self.report(of: report.impUID, payment)
    }

    // MARK: Requests

    /// Calls with an access token, and once more with a new one after 401.
    private func ask(_ call: (String) async throws -> ProviderAnswer) async throws -> ProviderAnswer {
        let first = try await token.current()
        let answer = try await call(first)
        guard answer.status == 401 else { return answer }
        let again = try await call(try await token.renewed(after: first))
        if again.status == 401 { throw connection.refusesUs(again, "any call") }
        return again
    }

    private func response<Value: Decodable>(_ answer: ProviderAnswer, _ type: Value.Type) throws
        -> PortOneAnswers.Response<Value>
    {
        guard let response = answer.value(PortOneAnswers.Response<Value>.self) else { throw connection.unavailable }
        return response
    }

    private func read<Value: Decodable>(_ answer: ProviderAnswer, _ type: Value.Type) throws -> Value {
        let response = try response(answer, type)
        guard let value = response.value else {
            Logger.current.warning(
                "PortOne: unexpected response",
                metadata: ["status": .stringConvertible(answer.status), "code": .stringConvertible(response.code)]
            )
            throw connection.unavailable
        }
        return value
    }
}

/// PortOne has refused a refund, and not made it.
struct PortOneRefusal: Error, Sendable, Equatable {
    var message: String
}

extension String {
    /// Percent-encoded as one path segment.
    fileprivate var percentEncoded: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
