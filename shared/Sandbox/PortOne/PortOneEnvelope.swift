import AppWire
import FoundationEssentials
import Hummingbird
import ServiceHost

/// What every answer of PortOne comes in; a code of 0 means that all is well.
struct PortOneEnvelope<Value: Encodable>: Encodable {
    var code = 0
    @Nullable var message: String? = nil
    @Nullable var response: Value? = nil
}

extension Response {
    /// An answer of PortOne's when all is well.
    static func portOne(_ value: some Encodable) throws -> Response {
        try .snakeJSON(PortOneEnvelope(response: value))
    }
}

/// A refusal in PortOne's form.
struct PortOneError: Error {
    var status: HTTPResponse.Status
    var code: Int
    var message: String

    init(_ status: HTTPResponse.Status, code: Int = -1, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static let unauthorized = PortOneError(.unauthorized, "Unauthorized")
    static let unknownPayment = PortOneError(.notFound, "존재하지 않는 결제정보입니다.")

    /// What is well said and impossible.
    static func declined(_ message: String) -> PortOneError { PortOneError(.ok, code: 1, message) }

    /// A field that is missing, or not of its kind.
    ///
    /// - Parameter rule: completes "NAME: …".
    static func bad(_ field: String, _ rule: String) -> PortOneError { PortOneError(.badRequest, "\(field): \(rule)") }

    var response: Response {
        let body = PortOneEnvelope<String>(code: code, message: message)
        return (try? .snakeJSON(body, status: status)) ?? .empty(status)
    }
}

extension PortOneError: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response { response }
}

/// PortOne counts time in whole seconds since 1970.
enum PortOneTime {
    static var now: Int { Int(Date.now.timeIntervalSince1970) }
}
