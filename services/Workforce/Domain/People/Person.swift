import Contracts

/// A MOUP user, from auth's events.
struct Person: Sendable, Equatable {
    var account: AccountID
    var nickname: String
    /// The path of the picture.
    var image: String?
    /// nil until registration.
    var role: Role?
    /// Whether the account is withdrawn.
    var isWithdrawn: Bool

    /// The name shown for a withdrawn user (MOUP contract 1.3).
    static let withdrawnName = "탈퇴한 근무자"

    /// Chosen once, at registration (MOUP contract 4).
    enum Role: String, Sendable, CaseIterable {
        case worker = "ROLE_WORKER"
        case owner = "ROLE_OWNER"
        case admin = "ROLE_ADMIN"
    }

    /// The name shown to others.
    var shownName: String { isWithdrawn ? Self.withdrawnName : nickname }
}
