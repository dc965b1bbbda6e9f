/// What somebody wants changed in a profile of free texts (Anlaka, Seoul Culture). nil leaves a part as it is; an empty
/// text takes it away, but for the name.
struct ProfileEdit: Sendable, Equatable {
    private(set) var nickname: String?
    private(set) var introduction: String?
    private(set) var phone: String?
    private(set) var birthDay: String?
    /// A path of a picture that its owner has uploaded.
    var image: String?

    static let introductionLimit = 60
    static let phoneLimit = 30
    static let birthDayLimit = 30

    /// Anlaka's rules (contract 3.1).
    ///
    /// - Throws: `AccountError`.
    static func anlaka(
        nickname: String?,
        introduction: String?,
        phone: String?,
        image: String?
    ) throws(AccountError) -> ProfileEdit {
        var edit = ProfileEdit()
        if let nickname { edit.nickname = try Nickname.anlaka(nickname) }
        edit.introduction = try bounded(introduction, "introduction", introductionLimit)
        edit.phone = try bounded(phone, "phoneNum", phoneLimit)
        edit.image = image
        return edit
    }

    /// Seoul Culture's rules (contract 4.1).
    ///
    /// - Throws: `AccountError`.
    static func culture(nickname: String?, phone: String?, birthDay: String?) throws(AccountError) -> ProfileEdit {
        var edit = ProfileEdit()
        if let nickname { edit.nickname = try Nickname.culture(nickname) }
        edit.phone = try bounded(phone, "phoneNum", phoneLimit)
        edit.birthDay = try bounded(birthDay, "birthDay", birthDayLimit)
        return edit
    }

    /// Whether others see a difference.
    var isVisible: Bool {
        nickname != nil || introduction != nil || image != nil
    }

    /// A text that is not too long.
    ///
    /// - Throws: `AccountError.tooLong`, naming the field.
    static func bounded(_ text: String?, _ field: String, _ limit: Int) throws(AccountError) -> String? {
        guard (text?.count ?? 0) <= limit else { throw .tooLong(field, limit: limit) }
        return text
    }
}
