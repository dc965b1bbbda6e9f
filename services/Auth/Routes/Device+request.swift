import Hummingbird
import ServiceHost

extension Device {
    /// The device that a request comes from.
    init(_ request: Request, _ context: AppRequestContext, pushToken: String? = nil) {
        self.init(pushToken: pushToken, address: context.client, userAgent: request.headers[.userAgent])
    }
}
