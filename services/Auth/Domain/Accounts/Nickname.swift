/// Validation rules of user names.
enum Nickname {
    /// Characters that Anlaka's sign-up form rejects (Anlaka contract 3.1).
    private static let refusedByAnlaka: Set<Character> = [".", ",", "?", "*", "@", "-"]
    static let lengthLimit = 50

    /// Anlaka's rule: not empty, none of `. , ? * @ -`.
    ///
    /// - Throws: `AccountError.nicknameInvalid`.
    static func anlaka(_ text: String) throws(AccountError) -> String {
        guard isReadable(text), !text.contains(where: refusedByAnlaka.contains) else { throw .nicknameInvalid }
        return text
    }

    static let cultureLengthLimit = 20

    /// Seoul Culture's rule: 1 to 20 characters, no whitespace (Culture contract 4.1).
    ///
    /// - Throws: `AccountError.nicknameBlank`, `.nicknameInvalid`.
    static func culture(_ text: String) throws(AccountError) -> String {
        guard !text.contains(where: \.isWhitespace) else { throw .nicknameBlank }
        guard text.unicodeScalars.count <= cultureLengthLimit, isReadable(text) else { throw .nicknameInvalid }
        return text
    }

    /// A name from a provider without the characters that Anlaka's rule rejects; nil when none remain.
    static func likeAnlakas(_ text: String) -> String? {
        let allowed = text.filter { !refusedByAnlaka.contains($0) }.unicodeScalars.prefix(lengthLimit)
        return try? anlaka(String(allowed))
    }

    /// SeatCatcher's rule: not blank, at most `lengthLimit` characters. Its client generates names itself.
    ///
    /// - Throws: `AccountError.nicknameInvalid`.
    static func seatCatcher(_ text: String) throws(AccountError) -> String {
        guard isReadable(text) else { throw .nicknameInvalid }
        return text
    }

    private static func isReadable(_ text: String) -> Bool {
        text.unicodeScalars.count <= lengthLimit && text.contains { !$0.isWhitespace }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// A generated name of an adjective and an animal, for a new account (SeatCatcher contract 4.1).
    static func random() -> String {
        "\(manners.randomElement() ?? "조용한") \(beings.randomElement() ?? "승객")"
    }

    private static let manners = [
        "조용한", "느긋한", "부지런한", "다정한", "씩씩한", "졸린", "반가운", "수줍은", "용감한", "엉뚱한", "따뜻한", "산뜻한",
        "꼼꼼한", "유쾌한", "든든한", "상냥한", "날쌘", "포근한", "빛나는", "소박한", "명랑한", "진지한", "느린", "재빠른",
    ]
    private static let beings = [
        "수달", "고래", "참새", "다람쥐", "너구리", "고양이", "강아지", "펭귄", "토끼", "여우", "거북이", "두루미", "부엉이",
        "해달", "사슴", "고슴도치", "판다", "돌고래", "제비", "반달곰", "청설모", "오리", "까치", "나비",
    ]
}
