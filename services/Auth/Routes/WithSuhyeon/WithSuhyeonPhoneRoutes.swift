import Apps
import Authentication
import Hummingbird
import ServiceKit

/// With Suhyeon's phone verification by text message (contract 1.2, calls 8 and 9).
struct WithSuhyeonPhoneRoutes {
    let codes: PhoneCodes
    let sms: SMSClient

    struct SendRequest: Decodable {
        var phoneNumber: String?
    }

    struct VerifyRequest: Decodable {
        var phoneNumber: String?
        var verifyNumber: String?
    }

    /// `POST /api/v1/message/send?flow=` → 200 once the provider has accepted the message.
    func send(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let flow = try Self.flow(request)
        let body = try await request.json(SendRequest.self, context)
        let phone = body.phoneNumber.flatMap(PhoneNumber.init)
        var broken: [String] = []
        if flow == nil { broken.append(Self.flowRule) }
        if phone == nil { broken.append(PhoneNumber.rule) }
        guard let flow, let phone else { throw WithSuhyeonError.malformed(broken) }
        let code = try await codes.make(for: phone, flow: flow, origin: Device(request, context).origin)
        do {
            try await sms.send("[수현이랑] 인증번호 \(code.digits)를 3분 안에 입력해 주세요.", to: phone.text)
        } catch {
            try await codes.takeBack(code)
            throw error
        }
        return try .withSuhyeon()
    }

    /// `POST /api/v1/message/verify?flow=` → 200 when the digits match the newest code.
    func verify(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let flow = try Self.flow(request)
        let body = try await request.json(VerifyRequest.self, context)
        let phone = body.phoneNumber.flatMap(PhoneNumber.init)
        let digits = body.verifyNumber.flatMap { Self.isCode($0) ? $0 : nil }
        var broken: [String] = []
        if flow == nil { broken.append(Self.flowRule) }
        if phone == nil { broken.append(PhoneNumber.rule) }
        if digits == nil { broken.append("verifyNumber must have 6 digits.") }
        guard let flow, let phone, let digits else { throw WithSuhyeonError.malformed(broken) }
        let origin = Device(request, context).origin
        try await codes.verify(digits, of: phone, flow: flow, origin: origin, account: context.identity?.account)
        return try .withSuhyeon()
    }

    private static let flowRule = "flow is required: signup or signin."

    private static func flow(_ request: Request) throws -> PhoneCodes.Flow? {
        guard let text = request.query("flow") else { return nil }
        guard let flow = PhoneCodes.Flow(rawValue: text) else {
            throw WithSuhyeonError.malformed([flowRule])
        }
        return flow
    }

    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == 6 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
