import Apps
import FoundationEssentials
import Hummingbird
import ServiceKit

/// A sign-in of a user in an app, at Apple or Google.
struct SignIn: Sendable {
    var sub: String
    /// The app's client id.
    var aud: String
    var email: String?
    var name: String?
    var nonce: String?

    /// The audience that every app accepts in development.
    static let developmentAudience = "madang.dev"
}

/// The body of a control by which a user signs in.
struct SignInOrder: Decodable {
    private var sub: String
    private var email: String?
    private var name: String?
    private var nonce: String?
    private var aud: String?
    private var expired: Bool?

    /// - Throws: `Problem` that names the field.
    static func read(_ request: Request, _ context: SandboxContext) async throws -> SignInOrder {
        let order = try await request.json(SignInOrder.self, context)
        guard !order.sub.isEmpty else { throw Problem(.invalid, message: "sub must not be empty.") }
        return order
    }

    var signIn: SignIn {
        SignIn(sub: sub, aud: aud ?? SignIn.developmentAudience, email: email, name: name, nonce: nonce)
    }

    /// Whether what the provider issues is expired.
    var isExpired: Bool { expired ?? false }
}

/// The authorization codes of sign-ins, each valid once until its expiry.
struct AuthorizationCodes: Sendable {
    private var codes: [String: (signIn: SignIn, expiresAt: Date)] = [:]

    mutating func add(_ code: String, of signIn: SignIn, expiresAt: Date) {
        codes[code] = (signIn, expiresAt)
    }

    /// Uses a code up.
    ///
    /// - Returns: nil for a code that is unknown, used or expired, or another client's, which stays valid.
    mutating func take(_ code: String, client: String) -> SignIn? {
        guard let found = codes[code], found.signIn.aud == client else { return nil }
        codes[code] = nil
        return found.expiresAt > .now ? found.signIn : nil
    }
}
