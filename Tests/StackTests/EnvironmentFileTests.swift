import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite struct EnvironmentFileTests {
    private static let template = """
        # Settings.

        MADANG_ENV=production
        # Signs.
        AUTH_KEY_SECRET=
        # A key of two
        # lines.
        SMS_KEY=
        SMS_SECRET=
        KAKAO_URL=https://kapi.kakao.com
        KAKAO_REST_KEY=
        # Optional.
        #RATE_ADDRESS=1000

        """

    private static let file = EnvironmentFile(template: template)

    @Test func missingSettings_areThoseWithoutValue() {
        #expect(
            Self.file.missing == [
                .init(name: "AUTH_KEY_SECRET", explanation: "Signs."),
                .init(name: "SMS_KEY", explanation: "A key of two\nlines."),
                .init(name: "SMS_SECRET", explanation: "A key of two\nlines."),
                .init(name: "KAKAO_REST_KEY", explanation: ""),
            ]
        )
    }

    @Test func missingSettings_areCommentedLines() throws {
        var file = Self.file
        try file.set("SMS_KEY", to: "key")
        try file.set("RATE_ADDRESS", to: "5")
        try file.set("KAKAO_URL", to: "")
        let expected = Self.template.replacing("AUTH_KEY_SECRET=", with: "#AUTH_KEY_SECRET=")
            .replacing("SMS_KEY=", with: "SMS_KEY=key").replacing("SMS_SECRET=", with: "#SMS_SECRET=")
            .replacing("KAKAO_REST_KEY=", with: "#KAKAO_REST_KEY=").replacing(
                "#RATE_ADDRESS=1000",
                with: "RATE_ADDRESS=5"
            )
        #expect(file.text == expected)
    }

    @Test(arguments: [
        ("a,b=c/d+e@f:1", "a,b=c/d+e@f:1"), ("two words", "'two words'"), ("$PATH", "'$PATH'"), ("a#b", "'a#b'"),
        ("\"x\"", "'\"x\"'"), ("one\r\ntwo words\n", "'one\\ntwo words'"), ("서울", "'서울'"),
    ])
    func value_isQuoted(value: String, written: String) throws {
        var file = Self.file
        try file.set("SMS_KEY", to: value)
        #expect(file.text.contains("\nSMS_KEY=\(written)\n"))
    }

    @Test(arguments: ["it's", "a\u{0}", "tab\t", "end \\"])
    func unwritableValue_isRefused(value: String) {
        var file = Self.file
        let error = #expect(throws: StackError.self) { try file.set("SMS_KEY", to: value) }
        #expect(error?.description.hasPrefix("SMS_KEY has a ") == true)
        #expect(file.missing == Self.file.missing)
    }

    @Test func unknownSetting_isRefused() {
        var file = Self.file
        #expect(throws: StackError("there is no setting named SMS; .env.example lists all")) {
            try file.set("SMS", to: "1")
        }
    }

    @Test func givenSecret_isKept() throws {
        var file = Self.file
        try file.set("AUTH_KEY_SECRET", to: "given")
        try file.generateSecrets()
        #expect(file.text.contains("\nAUTH_KEY_SECRET=given\n"))
        #expect(file.missing.map(\.name) == ["SMS_KEY", "SMS_SECRET", "KAKAO_REST_KEY"])
    }

    @Test(.folder) func creation_isForOwnerOnly_andOverwritesNothing() throws {
        let folder = TemporaryFolder.current
        let path = "\(folder.path)/.env"
        try Self.file.create(at: path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(folder.text(".env") == Self.file.text)
        #expect(throws: EnvironmentFile.exists(path)) { try Self.file.create(at: path) }

        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder.path)/elsewhere")
        #expect(throws: EnvironmentFile.exists(link)) { try Self.file.create(at: link) }
        #expect(throws: StackError.self) { try Self.file.create(at: "\(folder.path)/none/.env") }
    }

    /// Answers questions with the given lines, and returns what was asked and said.
    private func ask(_ lines: [String], _ file: inout EnvironmentFile) -> [String] {
        var rest = lines[...]
        var transcript: [String] = []
        Questions(
            ask: { name in
                transcript.append(name)
                return rest.popFirst()
            },
            say: { transcript.append($0) }
        ).complete(&file)
        return transcript
    }

    @Test func answers_areTaken_andAskedForAgainIfUnwritable() throws {
        var file = Self.file
        try file.generateSecrets()
        let transcript = ask(["it's", "key", "", "-----BEGIN X-----", "abc", "-----END X-----"], &file)
        #expect(
            transcript == [
                "\nA key of two\nlines.", "SMS_KEY",
                "SMS_KEY has a ', a control character, or a \\ at its end, which .env cannot hold", "SMS_KEY",
                "SMS_SECRET", "\n", "KAKAO_REST_KEY", "KAKAO_REST_KEY", "KAKAO_REST_KEY",
            ]
        )
        #expect(file.missing.map(\.name) == ["SMS_SECRET"])
        #expect(file.text.contains("\nKAKAO_REST_KEY='-----BEGIN X-----\\nabc\\n-----END X-----'\n"))
    }

    @Test func endOfInput_leavesTheRest() {
        var file = Self.file
        #expect(ask(["given"], &file) == ["\nSigns.", "AUTH_KEY_SECRET", "\nA key of two\nlines.", "SMS_KEY"])
        #expect(file.missing.map(\.name) == ["SMS_KEY", "SMS_SECRET", "KAKAO_REST_KEY"])
    }
}
