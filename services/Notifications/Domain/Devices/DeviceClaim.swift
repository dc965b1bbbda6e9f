/// The effect of a registration on the stored devices.
enum DeviceClaim: Sendable, Equatable {
    /// The session has no device yet. The previous owner of the token loses it, with all pending pushes.
    case insert(replacing: DeviceID?)
    /// The session's device has a new token; its pending pushes are kept.
    case renew(DeviceID, replacing: DeviceID?)
    /// Only the time of the registration changes.
    case confirm(DeviceID)
    /// A later registration is stored.
    case ignore

    /// - Parameters:
    ///   - bySession: The device of the session.
    ///   - byToken: The device with the token.
    static func of(_ device: Device, bySession: StoredDevice?, byToken: StoredDevice?) -> Self {
        for stored in [bySession, byToken].compactMap(\.self) where stored.since > device.since { return .ignore }
        if let byToken, byToken.session == device.session { return .confirm(byToken.id) }
        return bySession.map { .renew($0.id, replacing: byToken?.id) } ?? .insert(replacing: byToken?.id)
    }
}
