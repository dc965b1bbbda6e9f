import Hummingbird
import ServiceKit

extension Device {
    /// The device of a request.
    init(_ request: Request, _ context: AppRequestContext, pushToken: String? = nil) {
        self.init(pushToken: pushToken, address: context.client, userAgent: request.headers[.userAgent])
    }
}

extension Origin {
    /// The origin of an authenticated request.
    init(_ request: Request, _ context: SignedInContext) {
        self = Device(address: context.client, userAgent: request.headers[.userAgent]).origin
    }
}
