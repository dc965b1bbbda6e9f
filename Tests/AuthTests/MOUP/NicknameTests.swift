import Testing

@testable import Auth

@Suite struct NicknameTests {
    @Test(arguments: ["하", "하루", "가나다라마바사아", "haru", "Haru2025", "하루12", "12345678"])
    func validNickname_isAccepted(name: String) throws {
        #expect(try Nickname.moup(name) == name)
    }

    @Test(arguments: [
        "", " ", "하 루", "하루\n", "가나다라마바사아자", "ㅎㅏ", "하루h", "하루!", "haruharuh", "하루😀", "é",
        "\u{1112}\u{1161}",
    ])
    func invalidNickname_isRefused(name: String) {
        #expect(throws: MOUPMemberError.nicknameInvalid) { try Nickname.moup(name) }
    }
}
