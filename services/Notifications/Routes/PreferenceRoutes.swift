import Hummingbird
import ServiceHost

/// Of what kinds somebody wants pushes.
struct PreferenceRoutes {
    let preferences: Preferences
    /// Puts it as the app expects it.
    var respond: @Sendable (PreferencesBody) throws -> Response = { try .json($0) }

    /// `GET …/preferences` → 200 with all kinds of the app.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try respond(PreferencesBody(try await preferences.preferences(of: Reader(context))))
    }

    /// `PUT …/preferences` `{preferences: [{kind, isPushed}]}` → 200 with all kinds. What is not named stays.
    func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(PreferencesBody.self, context)
        let changes = body.preferences.map { Preference(kind: $0.kind, isPushed: $0.isPushed) }
        return try respond(PreferencesBody(try await preferences.change(changes, of: Reader(context))))
    }
}

/// The kinds, as they are asked for and answered.
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
    /// Who is signed in.
    init(_ context: SignedInContext) {
        self.init(app: context.app, account: context.account)
    }
}
