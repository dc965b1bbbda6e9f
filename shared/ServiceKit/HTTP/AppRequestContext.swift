import Apps
package import Authentication
package import Contracts
package import Hummingbird
import Tracing

/// The context of a request to a service: caller, client address and request id.
package struct AppRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Set by `RequestDispatcher`; nil if the request carries no valid identity.
    package var identity: InternalIdentity?
    /// The client's address, as seen by the gateway.
    package var client: String?
    package var requestID = ""
    /// The request's span; nil for health checks.
    var span: (any Span)?
    /// The largest body that `Request.json` collects, in bytes.
    package var bodyLimit = 256 * 1024

    package var maxUploadSize: Int { bodyLimit }

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
    }

    /// The app of the request; nil for calls between services.
    package var app: App? { identity?.app }
}

/// The context of routes that require a signed-in user. A group with this context cannot be reached without one.
package struct SignedInContext: ChildRequestContext {
    package var coreContext: CoreRequestContextStorage
    package let account: AccountID
    package let session: String
    package let app: App
    package let client: String?
    package let requestID: String
    private let bodyLimit: Int

    package var maxUploadSize: Int { bodyLimit }

    /// - Throws: The app's 401 if the identity names no account.
    package init(context: AppRequestContext) throws {
        guard let identity = context.identity, let account = identity.account, let session = identity.session,
            let app = identity.app
        else { throw Problem(.unauthenticated, message: "Sign in first.") }
        self.coreContext = context.coreContext
        self.account = account
        self.session = session
        self.app = app
        self.client = context.client
        self.requestID = context.requestID
        self.bodyLimit = context.bodyLimit
    }
}

extension RouterGroup where Context == AppRequestContext {
    /// The routes of one app, under the paths that the app uses.
    func app(_ app: App) -> RouterGroup<AppRequestContext> {
        group(RouterPath(app.rawValue))
    }

    /// Routes that require a signed-in user.
    package var signedIn: RouterGroup<SignedInContext> {
        group("", context: SignedInContext.self)
    }
}
