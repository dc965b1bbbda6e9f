import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Auth

/// Profile images in the three apps that have them.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ProfileImageTests {
    private var world: AuthWorld { .current }
    private let upload = "/v1/users/profile/image"
    private let me = "/v1/users/me/profile"

    private func path(_ answer: TestResponse, _ key: String = "profileImage") throws -> String {
        struct Answer: Decodable { var profileImage: String?, imageUrl: String? }
        let body = try answer.json(Answer.self)
        return try #require(body.profileImage ?? body.imageUrl)
    }

    @Test(.service) func upload_isSetAndServed() async throws {
        let phone = try await world.anlakaMember("a@b.kr").phone
        for (picture, type, ending) in [
            (Picture.jpeg(size: 200_000), "image/jpeg", ".jpg"), (Picture.png(), "image/png", ".png"),
        ] {
            // The file name and the type that the client sends are ignored.
            let form = MultipartForm().file("profile", picture, filename: "../../x.php", type: "text/html")
            let answer = try await phone.send(.post, upload, form: form)
            #expect(answer.status == .ok)
            #expect(try answer.keys() == ["profileImage"])
            let path = try path(answer)
            #expect(path.wholeMatch(of: /\/data\/profiles\/[0-9a-f]{32}\.[a-z]{3}/) != nil)
            #expect(path.hasSuffix(ending))

            let changed = try await phone.send(.put, me, json: #"{"profileImage":"\#(path)"}"#)
            #expect(try changed.json([String: String].self)["profileImage"] == path)
            let login = #"{"email":"a@b.kr","password":"abcd123!"}"#
            let signedIn = try await world.anlaka.send(.post, "/v1/users/login", json: login)
            #expect(try signedIn.json([String: String].self)["profileImage"] == path)
            #expect(try await Rows.events(AuthEvents.ProfileChanged.self).last?.image == path)

            for headers: HTTPFields in [[:], [.range: "bytes=0-3", .ifNoneMatch: "*"]] {
                let served = try await world.anlaka.send(.get, "/v1\(path)", headers: headers)
                #expect(served.status == .ok)
                #expect(Array(served.body.readableBytesView) == picture)
                #expect(served.headers[.contentType] == type)
                #expect(served.headers[.contentLength] == String(picture.count))
                #expect(served.headers[.xContentTypeOptions] == "nosniff")
                #expect(served.headers[.cacheControl]?.contains("immutable") == true)
                #expect(served.headers[.contentDisposition]?.hasPrefix("inline; filename=") == true)
            }
        }
    }

    @Test(.service) func upload_isLimitedToOneMegabyte() async throws {
        let phone = try await world.anlakaMember("a@b.kr").phone
        let culture = try await world.cultureMember("a@b.kr", nick: "n").phone
        for (size, status) in [(1_048_576, 200), (1_048_577, 400), (3_000_000, 400)] {
            let form = MultipartForm().file("profile", Picture.jpeg(size: size))
            let answer = try await phone.send(.post, upload, form: form)
            #expect(answer.status.code == status)
            if status == 400 { #expect(try answer.keys() == ["message"]) }
            #expect(try await culture.send(.put, me, form: form).status.code == status)
        }
        #expect(try await Rows.count("SELECT count(*) FROM uploads") == 2)
    }

    /// A body that is not a form with one valid image.
    struct BadBody: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var type: String?

        init(_ description: String, _ bytes: [UInt8], type: String? = MultipartForm.contentType) {
            testDescription = description
            self.bytes = bytes
            self.type = type
        }

        init(_ description: String, _ form: MultipartForm, type: String? = MultipartForm.contentType) {
            self.init(description, form.bytes, type: type)
        }

        static let picture = MultipartForm().file("profile", Picture.jpeg())

        static let all: [BadBody] = [
            BadBody("nothing", [UInt8]()), BadBody("closing boundary", MultipartForm()),
            BadBody("closing boundary without a line's end", Array("--\(MultipartForm.boundary)--".utf8)),
            BadBody("a text", MultipartForm().text("profile", "no picture")),
            BadBody("an empty file", MultipartForm().file("profile", [])),
            BadBody("another part", MultipartForm().file("other", Picture.jpeg())),
            BadBody("a GIF", MultipartForm().file("profile", Array("GIF89a and more than that".utf8))),
            BadBody("a page", MultipartForm().file("profile", Array("<html><script>".utf8))),
            BadBody("a PDF", MultipartForm().file("profile", Array("%PDF-1.7".utf8))),
            BadBody("two", picture.file("profile", Picture.jpeg())),
            BadBody("cut off", Array(picture.bytes.dropLast(9))),
            BadBody("no boundary", picture, type: "multipart/form-data"),
            BadBody("another boundary", picture, type: "multipart/form-data; boundary=other"),
            BadBody("another type", picture, type: "application/json"), BadBody("no type", picture, type: nil),
        ]
    }

    @Test(.service, arguments: BadBody.all)
    func invalidUpload_returns400(body: BadBody) async throws {
        let phone = try await world.anlakaMember("a@b.kr").phone
        let answer = try await phone.send(.post, upload, bytes: body.bytes, type: body.type)
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["message"])
        #expect(try await Rows.count("SELECT count(*) FROM uploads") == 0)
    }

    @Test(.service) func uploadOfOtherAccount_isRefused() async throws {
        let (one, other) = (try await world.anlakaMember("a@b.kr"), try await world.anlakaMember("c@d.kr"))
        let form = MultipartForm().file("profile", Picture.jpeg())
        let path = try path(await other.phone.send(.post, upload, form: form))
        let taken = try await one.phone.send(.put, me, json: #"{"nick":"x","profileImage":"\#(path)"}"#)
        #expect(taken.status == .badRequest)
        #expect(try await one.phone.send(.get, me).json([String: String].self)["nick"] == "하루")
        for name in ["..%2f..%2fetc%2fpasswd", "%2e%2e", "x", String(path.dropLast(4)) + ".png", "\(path)%00"] {
            let last = name.split(separator: "/").last ?? ""
            #expect(try await world.anlaka.send(.get, "/v1/data/profiles/\(last)").status == .notFound, "\(name)")
        }
        // The route of another app does not serve it.
        let culture = try await world.cultureMember("a@b.kr", nick: "n").phone
        let name = path.split(separator: "/").last ?? ""
        #expect(try await culture.send(.get, "/v1/uploads/profiles/\(name)").status == .gone)
    }

    @Test(.service) func locationMetadata_isRemoved() async throws {
        let phone = try await world.anlakaMember("a@b.kr").phone
        let photograph = Picture.jpeg(orientation: 6)
        #expect(String(decoding: photograph, as: UTF8.self).contains(Picture.place))
        let form = MultipartForm().file("profile", photograph)
        let path = try path(await phone.send(.post, upload, form: form))
        let served = try await world.anlaka.send(.get, "/v1\(path)")
        #expect(!served.text.contains(Picture.place))
        #expect(served.body.readableBytes > 300)
    }

    @Test(.service) func cultureForm_updatesProfileAndImage() async throws {
        let member = try await world.cultureMember("a@b.kr", nick: "하루")
        var paths: [String] = []
        for picture in [Picture.jpeg(), Picture.jpeg(), Picture.png()] {
            let answer = try await member.phone.send(.put, me, form: MultipartForm().file("profile", picture))
            #expect(answer.status == .ok)
            let path = try path(answer)
            #expect(path.hasPrefix("uploads/profiles/"))
            let served = try await member.phone.send(.get, "/v1/\(path)")
            #expect(served.status == .ok)
            #expect(Array(served.body.readableBytesView) == picture)
            paths.append(path)
        }
        #expect(Set(paths).count == 3)
        #expect(try await member.phone.send(.get, "/v1/\(paths[0])").status == .gone)
        #expect(try await world.culture.send(.get, "/v1/\(paths[2])").status == .unauthorized)

        let both = MultipartForm().text("nick", "이틀").text("phoneNum", "010").text("birthDay", "1999").file(
            "profile",
            Picture.png()
        )
        let answer = try await member.phone.send(.put, me, form: both)
        let keys = try answer.keys()
        #expect(
            keys == [
                "user_id", "email", "nick", "phoneNum", "birthDay", "profileImage", "followers", "following",
                "posts",
            ]
        )
        #expect(try await Rows.events(AuthEvents.ProfileChanged.self).last?.nickname == "이틀")
    }

    @Test(.service) func imageWithInvalidNickname_isNotStored() async throws {
        _ = try await world.cultureMember("c@d.kr", nick: "임자")
        let member = try await world.cultureMember("a@b.kr", nick: "하루")
        for (nick, status) in [("a b", 402), ("", 400), (String(repeating: "x", count: 21), 400), ("임자", 409)] {
            let form = MultipartForm().file("profile", Picture.jpeg()).text("nick", nick)
            let answer = try await member.phone.send(.put, me, form: form)
            #expect(answer.status.code == status)
            #expect(try await Rows.count("SELECT count(*) FROM uploads WHERE expires_at IS NULL") == 0)
        }
        let empty = try await member.phone.send(.put, me, form: MultipartForm())
        #expect(empty.status == .badRequest)
        #expect(!(try await member.phone.send(.get, me).text.contains("profileImage")))
    }

    @Test(.service { $0.publicURL = "https://madang.example" }) func moupUpload_returnsPublicURL() async throws {
        let moup = App.moup
        let account = try await Rows.count(
            "INSERT INTO accounts (public_id, app, nickname) VALUES (repeat('a', 24), 'moup', '하루') RETURNING id"
        )
        let phone = ServiceClient(world.client, to: .auth, app: moup, account: AccountID(rawValue: Int64(account)))
        let files = "/files/users/profile-images"
        let picture = Picture.jpeg(size: 10 << 20)
        let answer = try await phone.send(.post, files, form: MultipartForm().file("file", picture))
        #expect(answer.status == .ok)
        #expect(try answer.keys() == ["userId", "imageUrl"])
        let url = try path(answer)
        #expect(url.hasPrefix("https://madang.example/files/users/profile-images/"))
        let served = try await ServiceClient(world.client, to: .auth, app: moup).send(.get, String(url.dropFirst(22)))
        #expect(served.status == .ok)
        #expect(served.body.readableBytes == picture.count)
        #expect(try await Rows.events(AuthEvents.ProfileChanged.self).last?.image == url)

        for form in [
            MultipartForm().file("file", Picture.jpeg(size: (10 << 20) + 1)), MultipartForm(),
            MultipartForm().file("file", Array("%PDF-1.7".utf8)), MultipartForm().file("file", []),
            MultipartForm().file("profile", Picture.jpeg()),
        ] {
            let refused = try await phone.send(.post, files, form: form)
            #expect(refused.status == .badRequest)
            #expect(try refused.json([String: String].self)["errorCode"] == "FILE_400")
        }
        let broken = try await phone.send(.post, files, bytes: [1], type: MultipartForm.contentType)
        #expect(try broken.json([String: String].self)["errorCode"] == "COMMON_400")
        #expect(
            try await ServiceClient(world.client, to: .auth, app: moup).send(.get, "\(files)/x.jpg").status == .notFound
        )
    }
}
