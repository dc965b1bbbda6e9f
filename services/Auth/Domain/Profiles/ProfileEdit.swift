import Values

/// Changes of a profile with free texts (Anlaka, Seoul Culture). nil leaves a field unchanged; an empty text clears it,
/// except for the name.
struct ProfileEdit: Sendable, Equatable {
    private(set) var nickname: String?
    private(set) var introduction: String?
    private(set) var phone: String?
    private(set) var birthDay: String?
    /// The path of a picture that the user has uploaded.
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

    /// Whether the change is visible to other users.
    var isVisible: Bool {
        nickname != nil || introduction != nil || image != nil
    }

    /// Checks the length of a text.
    ///
    /// - Throws: `AccountError.tooLong` with the name of the field.
    static func bounded(_ text: String?, _ field: String, _ limit: Int) throws(AccountError) -> String? {
        guard TypedText.fits(text ?? "", characters: limit) else { throw .tooLong(field, limit: limit) }
        return text
    }
}
