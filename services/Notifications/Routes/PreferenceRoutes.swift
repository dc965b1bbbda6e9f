import Hummingbird
import ServiceKit

/// Preferences for pushes, by kind.
struct PreferenceRoutes {
    let preferences: Preferences
    /// Encodes the response in the app's format.
    var respond: @Sendable (PreferencesBody) throws -> Response = { try .json($0) }

    /// `GET …/preferences` → 200 with all kinds of the app.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try respond(PreferencesBody(try await preferences.preferences(of: Reader(context))))
    }

    /// `PUT …/preferences` `{preferences: [{kind, isPushed}]}` → 200 with all kinds. Kinds that are not named do not
    /// change.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(PreferencesBody.self, context)
        let changes = body.preferences.map { Preference(kind: $0.kind, isPushed: $0.isPushed) }
        return try respond(PreferencesBody(try await preferences.change(changes, of: Reader(context))))
    }
}

/// The body of requests and responses.
struct PreferencesBody: Codable {
    struct Item: Codable {
        var kind: String
        var isPushed: Bool
    }

    var preferences: [Item]

    init(_ preferences: [Preference]) {
        self.preferences = preferences.map { Item(kind: $0.kind, isPushed: $0.isPushed) }
    }
}

extension Reader {
    /// The signed-in user.
    init(_ context: SignedInContext) {
        self.init(app: context.app, account: context.account)
    }
}
