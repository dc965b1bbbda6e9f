import FoundationEssentials

/// An account of MOUP.
struct MOUPMember: Sendable, Equatable {
    var account: Account
    /// The user's name at the provider; at most 20 Unicode scalars. nil while no sign-in has brought one.
    var username: String?
    /// nil until registration.
    var role: Role?
    var createdAt: Date

    static let usernameLimit = 20

    /// Chosen once, at registration. `admin` cannot be chosen.
    enum Role: String, Sendable, CaseIterable {
        case worker = "ROLE_WORKER"
        case owner = "ROLE_OWNER"
        case admin = "ROLE_ADMIN"
    }

    /// Whether nickname and role have been chosen.
    var isRegistered: Bool { !account.nickname.isEmpty }
}

/// Errors of MOUP accounts.
enum MOUPMemberError: Error, Sendable, Equatable {
    /// The account does not exist, or is withdrawn.
    case unknown
    case registeredAlready
    case nicknameInvalid
    case roleInvalid
}
