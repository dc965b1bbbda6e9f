/// What becomes of the stored devices when a session says which token its phone has.
enum DeviceClaim: Sendable, Equatable {
    /// A phone that was not known.
    case insert
    /// The session's phone has another token: what waits for it goes there.
    case renew(Int64)
    /// The token comes from another session: the phone is this one's from then on, and what waited for the former owner is
    /// not for it.
    case takeOver(Int64)
    /// Nothing changes but when it was given.
    case confirm(Int64)
    /// Somebody has given the token later.
    case ignore

    /// - Parameters:
    ///   - bySession: what the session has had.
    ///   - byToken: who has had the token.
    static func of(_ device: Device, bySession: StoredDevice?, byToken: StoredDevice?) -> Self {
        guard let byToken else { return bySession.map { .renew($0.id) } ?? .insert }
        guard byToken.since <= device.since else { return .ignore }
        if let bySession, bySession.since > device.since { return .ignore }
        return byToken.session == device.session ? .confirm(byToken.id) : .takeOver(byToken.id)
    }
}
