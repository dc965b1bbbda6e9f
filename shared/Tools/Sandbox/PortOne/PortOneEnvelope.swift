import FoundationEssentials
import Hummingbird
import ServiceKit
import Values

/// The envelope of all PortOne responses; a code of 0 means success.
struct PortOneEnvelope<Value: Encodable>: Encodable {
    var code = 0
    @Nullable var message: String? = nil
    @Nullable var response: Value? = nil
}

extension Response {
    /// A success response of PortOne.
    static func portOne(_ value: some Encodable) throws -> Response {
        try .snakeJSON(PortOneEnvelope(response: value))
    }
}

/// An error in PortOne's format.
struct PortOneError: ProviderError {
    var status: HTTPResponse.Status
    var code: Int
    var message: String

    init(_ status: HTTPResponse.Status, code: Int = -1, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    static let unauthorized = PortOneError(.unauthorized, "Unauthorized")
    static let unknownPayment = PortOneError(.notFound, "존재하지 않는 결제정보입니다.")

    /// The error for a valid but impossible request.
    static func declined(_ message: String) -> PortOneError { PortOneError(.ok, code: 1, message) }

    /// The error for a missing or invalid field.
    ///
    /// - Parameter rule: Completes "NAME: …".
    static func bad(_ field: String, _ rule: String) -> PortOneError { PortOneError(.badRequest, "\(field): \(rule)") }

    var response: Response {
        let body = PortOneEnvelope<String>(code: code, message: message)
        return (try? .snakeJSON(body, status: status)) ?? .empty(status)
    }
}

/// PortOne's times are whole seconds since 1970.
enum PortOneTime {
    static var now: Int { Int(Date.now.timeIntervalSince1970) }
}
