import Contracts

/// The validated body of a sign-up request (With Suhyeon contract 1.3).
struct SignUpForm: Sendable, Equatable {
    var phone: PhoneNumber
    var nickname: String
    var birthYear: Int
    var isMale: Bool
    var image: String
    var region: Region

    /// The app offers 1900 to 2006; the upper bound leaves room for later versions.
    static let birthYears = 1900...2100

    /// - Throws: `WithSuhyeonError`: all format violations together, then an unknown picture, then an unknown region.
    init(
        phoneNumber: String?,
        nickname: String?,
        birthYear: Int?,
        gender: Bool?,
        profileImage: String?,
        region: String?
    ) throws(WithSuhyeonError) {
        var broken: [String] = []
        let phone = phoneNumber.flatMap(PhoneNumber.init)
        if phone == nil { broken.append(PhoneNumber.rule) }
        if !(nickname.map(Nickname.isCompanions) ?? false) {
            broken.append("nickname must have 2 to 12 characters: Hangul, Latin letters and digits.")
        }
        if !(birthYear.map(Self.birthYears.contains) ?? false) { broken.append("birthYear must be a year.") }
        if gender == nil { broken.append("gender is required.") }
        if profileImage == nil { broken.append("profileImage is required.") }
        if region == nil { broken.append("region is required.") }
        guard let phone, let nickname, let birthYear, let gender, let profileImage, let region, broken.isEmpty else {
            throw .malformed(broken)
        }
        guard WithSuhyeonAccount.images.contains(profileImage) else { throw .imageUnknown }
        guard let region = Region(name: region) else { throw .regionUnknown }
        self.phone = phone
        self.nickname = nickname
        self.birthYear = birthYear
        self.isMale = gender
        self.image = profileImage
        self.region = region
    }
}

extension Nickname {
    /// With Suhyeon's rule: 2 to 12 characters, each a Hangul syllable, a single consonant or vowel, a Latin letter or a
    /// digit.
    fileprivate static func isCompanions(_ text: String) -> Bool {
        (2...12).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "\u{AC00}"..."\u{D7A3}", "\u{3131}"..."\u{314E}", "\u{314F}"..."\u{3163}", "a"..."z", "A"..."Z",
                    "0"..."9":
                    true
                default: false
                }
            }
    }
}
