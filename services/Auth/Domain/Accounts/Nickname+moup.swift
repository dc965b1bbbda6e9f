extension Nickname {
    private static let moupLimit = 8

    /// MOUP's rule (contract 2): at most eight characters, complete Hangul syllables or Latin letters but not both, and
    /// digits with either.
    ///
    /// - Throws: `MOUPMemberError.nicknameInvalid`.
    static func moup(_ text: String) throws(MOUPMemberError) -> String {
        let scalars = text.unicodeScalars
        let hangul = scalars.count { ("\u{AC00}"..."\u{D7A3}").contains($0) }
        let latin = scalars.count { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
        let digits = scalars.count { ("0"..."9").contains($0) }
        guard (1...moupLimit).contains(scalars.count), hangul + latin + digits == scalars.count,
            hangul == 0 || latin == 0
        else { throw .nicknameInvalid }
        return text
    }
}
