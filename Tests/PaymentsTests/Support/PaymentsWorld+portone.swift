import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit

@testable import Sandbox

extension PaymentsWorld {
    /// Makes a payment in PortOne's window.
    ///
    /// - Parameter more: further fields of the control, as `"sandbox":true`.
    /// - Returns: the payment's `imp_uid`.
    func pay(_ code: String, _ amount: Double = 100_000, status: String = "paid", more: String = "") async throws
        -> String
    {
        struct Answer: Decodable {
            var impUID: String

            enum CodingKeys: String, CodingKey {
                case impUID = "imp_uid"
            }
        }
        let extra = more.isEmpty ? "" : ",\(more)"
        let json = #"{"merchant_uid":"\#(code)","amount":\#(amount),"status":"\#(status)"\#(extra)}"#
        return try await pull("/_control/payments", json).json(Answer.self).impUID
    }

    /// Changes a payment in PortOne's console.
    func change(_ impUID: String, _ json: String) async throws {
        _ = try await pull("/_control/payments/\(impUID)", json)
    }

    /// The next calls to PortOne fail; a count of 0 ends the failure.
    func fail(_ kind: String = "http", status: Int = 503, delay: Int = 2000, count: Int = 1000) async throws {
        let fault = #""kind":"\#(kind)","status":\#(status),"delay_ms":\#(delay),"count":\#(count)"#
        _ = try await pull("/_control/faults", #"{"provider":"portone",\#(fault)}"#)
    }

    /// A payment as PortOne has it.
    struct PortOnePayment: Decodable, Equatable {
        var status: String
        var amount: Double
        var cancelAmount: Double
        var cancelReason: String?
        var cancelHistory: [Cancellation]

        struct Cancellation: Decodable, Equatable { var amount: Double }
    }

    func portOnePayment(_ impUID: String) async throws -> PortOnePayment {
        let answer = try await sandbox.execute(uri: "/_control/payments/\(impUID)", method: .get) { $0 }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(PortOnePayment.self, from: Data(answer.body.readableBytesView))
    }

    /// The calls to PortOne, oldest first: `POST /payments/cancel`.
    func calls() async throws -> [String] {
        struct CallList: Decodable { var calls: [Call] }
        let answer = try await sandbox.execute(uri: "/_control/calls?provider=portone", method: .get) { $0 }
        return try answer.json(CallList.self).calls.reversed().map { "\($0.method) \($0.path)" }
    }

    func pull(_ path: String, _ json: String) async throws -> TestResponse {
        let headers: HTTPFields = [.contentType: "application/json"]
        return try await sandbox.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(string: json)) {
            guard $0.status.kind == .successful else { throw Refused(text: $0.text) }
            return $0
        }
    }

    struct Refused: Error { var text: String }
}
