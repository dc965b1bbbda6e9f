/// The phones with recent messages, ordered by their newest one.
struct LockScreens: Sendable {
    private(set) var phones: [LockScreen] = []

    /// The maximum number of displayed phones, and of messages examined.
    private static let phoneLimit = 24
    private static let messageLimit = 2000

    /// - Parameter token: The only phone to show; nil for all.
    init(_ messages: FCMMessages, only token: String?) {
        var order: [String] = []
        var byToken: [String: [FCMMessage]] = [:]
        for message in messages.newest(Self.messageLimit, to: token) {
            guard let token = message.target.token else { continue }
            if byToken[token] == nil {
                guard order.count < Self.phoneLimit else { continue }
                order.append(token)
            }
            byToken[token, default: []].append(message)
        }
        phones = order.map { LockScreen($0, byToken[$0] ?? []) }
    }
}
