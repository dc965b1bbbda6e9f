/// Somebody in MOUP, as auth told.
struct Person: Sendable, Equatable {
    var account: Int64
    var nickname: String
    /// The path of the picture.
    var image: String?
    /// nil until registration is finished.
    var role: Role?
    /// Has left the app for good.
    var isWithdrawn: Bool

    /// What somebody is called who has left (MOUP contract 1.3).
    static let withdrawnName = "탈퇴한 근무자"

    /// Chosen once, at registration (MOUP contract 4).
    enum Role: String, Sendable, CaseIterable {
        case worker = "ROLE_WORKER"
        case owner = "ROLE_OWNER"
        case admin = "ROLE_ADMIN"
    }

    /// What others call them.
    var shownName: String { isWithdrawn ? Self.withdrawnName : nickname }
}
