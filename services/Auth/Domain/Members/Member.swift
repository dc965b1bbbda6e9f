import FoundationEssentials

/// Somebody in MOUP.
struct Member: Sendable, Equatable {
    var account: Account
    /// What the provider calls the person; at most 20 characters.
    var username: String?
    /// nil until registration.
    var role: Role?
    var createdAt: Date

    static let usernameLimit = 20

    /// Chosen once, at registration. Nobody chooses to be an admin.
    enum Role: String, Sendable, CaseIterable {
        case worker = "ROLE_WORKER"
        case owner = "ROLE_OWNER"
        case admin = "ROLE_ADMIN"
    }

    /// Whether nickname and role have been chosen.
    var isRegistered: Bool { !account.nickname.isEmpty }
}

/// What can be wrong with a MOUP account.
enum MemberError: Error, Sendable, Equatable {
    /// No such account, or its owner has left.
    case unknown
    case registeredAlready
    case nicknameInvalid
    case roleInvalid
}
