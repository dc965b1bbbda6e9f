import FoundationEssentials
import NIOHTTP1
import Postgres

@testable import Gateway

/// The actions of payers and of PortOne.
extension Platform {
    /// Pays in PortOne's window.
    ///
    /// - Returns: the payment's `imp_uid`.
    func pay(_ code: String, _ amount: Int, status: String = "paid") async throws -> String {
        let json = #"{"merchant_uid":"\#(code)","amount":\#(amount),"status":"\#(status)"}"#
        let answer = try await Wire.send(.POST, "\(sandbox)/_control/payments", json: json)
        return try answer.value([String: String].self)["imp_uid"] ?? ""
    }

    /// PortOne's webhook calls the gateway, several times at once.
    ///
    /// - Returns: the status of each call.
    func tell(of impUID: String, times: Int = 1) async throws -> [Int?] {
        struct Answer: Decodable { var statuses: [Int?] }
        let url = "\(sandbox)/_control/payments/\(impUID)/webhook"
        return try await Wire.send(.POST, url, json: #"{"times":\#(times)}"#).value(Answer.self).statuses
    }

    /// A payment at PortOne.
    func atPortOne(_ impUID: String) async throws -> JSONValue {
        try await Wire.send(.GET, "\(sandbox)/_control/payments/\(impUID)").value(JSONValue.self)
    }
}
