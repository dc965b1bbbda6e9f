/// Somebody in Anlaka, as auth told.
struct Person: Sendable, Equatable {
    var account: Int64
    /// 24 lower-case hexadecimal digits: what the app calls them.
    var publicID: String
    /// Empty for who has left.
    var nickname: String
    /// The path of the picture.
    var image: String?
    var introduction: String?

    /// What somebody is called who has left. The app drops what has no name (Anlaka contract 1.7).
    static let withdrawnName = "탈퇴한 사용자"

    /// What others call them.
    var shownName: String { nickname.isEmpty ? Self.withdrawnName : nickname }
}
