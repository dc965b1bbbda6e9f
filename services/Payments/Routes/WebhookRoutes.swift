import Apps
import FoundationEssentials
import Hummingbird
import NIOCore
import ServiceKit

/// PortOne's webhook (Anlaka contract 6.1). JSON or a form, depending on the settings of PortOne's console; not signed.
struct WebhookRoutes {
    let notices: Webhooks

    struct Body: Decodable {
        var impUID: String
        var merchantUID: String?
        var status: String?
        var cancellation: String?

        enum CodingKeys: String, CodingKey {
            case status
            case impUID = "imp_uid"
            case merchantUID = "merchant_uid"
            case cancellation = "cancellation_id"
        }
    }

    /// `POST /notices/portone` `{imp_uid, merchant_uid, status, cancellation_id?}` → 200 as soon as it is stored; 400
    /// when a field is invalid.
    func receive(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        var context = context
        context.bodyLimit = 16 * 1024
        let body = try await Self.body(of: request, context)
        let notice = try Webhook(
            impUID: body.impUID,
            merchantUID: body.merchantUID ?? "",
            status: body.status ?? "",
            cancellation: body.cancellation
        )
        try await notices.receive(notice)
        return .text("ok")
    }

    private static func body(of request: Request, _ context: AppRequestContext) async throws -> Body {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else {
            return try await request.json(Body.self, context)
        }
        do {
            return try await URLEncodedFormDecoder().decode(Body.self, from: request, context: context)
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge, message: "The body is larger than \(context.bodyLimit) bytes.")
        } catch is DecodingError {
            throw Problem(.malformed, message: "imp_uid must be given.")
        }
    }
}
