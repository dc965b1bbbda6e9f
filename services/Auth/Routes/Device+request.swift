import Hummingbird
import ServiceHost

extension Device {
    /// The device that a request comes from.
    init(_ request: Request, _ context: AppRequestContext, pushToken: String? = nil) {
        self.init(pushToken: pushToken, address: context.client, userAgent: request.headers[.userAgent])
    }
}

extension Origin {
    /// Where a request of somebody signed in comes from.
    init(_ request: Request, _ context: SignedInContext) {
        self = Device(address: context.client, userAgent: request.headers[.userAgent]).origin
    }
}
