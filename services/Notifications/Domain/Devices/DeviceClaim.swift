/// What becomes of the stored devices when a session says which token its phone has.
enum DeviceClaim: Sendable, Equatable {
    /// A phone that the session did not have. Whoever had the token has it no more, and what waited for them there is gone
    /// with it.
    case insert(replacing: Int64?)
    /// The session's phone has another token: what waits for it goes there.
    case renew(Int64, replacing: Int64?)
    /// Nothing changes but when it was given.
    case confirm(Int64)
    /// Something else was said later.
    case ignore

    /// - Parameters:
    ///   - bySession: what the session has had.
    ///   - byToken: who has had the token.
    static func of(_ device: Device, bySession: StoredDevice?, byToken: StoredDevice?) -> Self {
        for stored in [bySession, byToken].compactMap(\.self) where stored.since > device.since { return .ignore }
        if let byToken, byToken.session == device.session { return .confirm(byToken.id) }
        return bySession.map { .renew($0.id, replacing: byToken?.id) } ?? .insert(replacing: byToken?.id)
    }
}
