import AppWire
package import Authentication
package import Contracts
package import Hummingbird

/// The context of a request to a service: who calls, from where, under which id.
package struct AppRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Set by `FrontDoor`; nil where the call carries no valid one.
    package var identity: InternalIdentity?
    /// The address of the phone, as the gateway saw it.
    package var client: String?
    package var requestID = ""
    /// Largest body that `Request.json` collects, in bytes.
    package var bodyLimit = 256 * 1024

    package var maxUploadSize: Int { bodyLimit }

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
    }

    /// The app that the request belongs to; nil between services.
    package var app: App? { identity?.app }
}

/// The context of a route that needs a signed-in person. A group that is mounted with it cannot be reached without one.
package struct SignedInContext: ChildRequestContext {
    package var coreContext: CoreRequestContextStorage
    package let account: Int64
    package let session: String
    package let app: App
    package let client: String?
    package let requestID: String
    private let bodyLimit: Int

    package var maxUploadSize: Int { bodyLimit }

    /// - Throws: the app's 401 when the gateway vouched for nobody.
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
    package func app(_ app: App) -> RouterGroup<AppRequestContext> {
        group(RouterPath(app.rawValue))
    }

    /// Routes that need a signed-in person.
    package var signedIn: RouterGroup<SignedInContext> {
        group("", context: SignedInContext.self)
    }
}
