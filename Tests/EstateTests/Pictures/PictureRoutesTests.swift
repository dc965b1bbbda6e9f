import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all)) struct PictureRoutesTests {
    private var world: EstateWorld { .current }
    private static let gif = Array("GIF89a and more than that".utf8) + [0x3b]
    private static let webp = Array("RIFF".utf8) + [12, 0, 0, 0] + Array("WEBPVP8L".utf8) + [0, 0, 0, 0]

    @Test(.service) func uploadedPictures_areServedInOrder() async throws {
        let pictures = [Picture.jpeg(), Self.gif, Picture.png(), Self.webp, Picture.jpeg(size: 5_242_880)]
        // The client's file names and types are ignored.
        let form = pictures.reduce(MultipartForm().text("estate_id", "x")) {
            $0.file("files", $1, filename: "../../x.php", type: "text/html")
        }
        let answer = try await world.client(9).send(.post, "/v1/estates/files", form: form)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try answer.keys() == ["files"])
        let paths = try answer.json([String: [String]].self)["files"] ?? []
        #expect(paths.map { $0.split(separator: ".").last } == ["jpg", "gif", "png", "webp", "jpg"])
        let types = ["image/jpeg", "image/gif", "image/png", "image/webp", "image/jpeg"]
        for (index, path) in paths.enumerated() {
            #expect(path.wholeMatch(of: /\/data\/estates\/[0-9a-f]{32}\.[a-z]{3,4}/) != nil)
            for headers: HTTPFields in [[:], [.range: "bytes=0-3", .ifNoneMatch: "*"]] {
                let keyOnly = ServiceClient(world.client, to: .estate, app: .anlaka)
                let served = try await keyOnly.send(.get, "/v1\(path)", headers: headers)
                #expect(served.status == .ok)
                #expect(Array(served.body.readableBytesView) == pictures[index])
                #expect(served.headers[.contentType] == types[index])
                #expect(served.headers[.xContentTypeOptions] == "nosniff")
            }
        }
    }

    @Test(.service) func servedPicture_hasNoLocation() async throws {
        let path = try #require(try await world.upload(Picture.jpeg(orientation: 6)).first)
        let served = try await ServiceClient(world.client, to: .estate, app: .anlaka).send(.get, "/v1\(path)")
        #expect(!String(decoding: served.body.readableBytesView, as: UTF8.self).contains(Picture.place))
    }

    @Test(.service) func missingPicture_returns404() async throws {
        let path = try #require(try await world.upload(Picture.jpeg()).first)
        let name = String(path.split(separator: "/").last ?? "")
        for other in [
            "0123456789abcdef0123456789abcdef.jpg", "x", "%00", "\(name)%00", "..%2F\(name)",
            name.replacing(".jpg", with: ".png"), name.uppercased(), "\(name).jpg",
        ] {
            let answer = try await ServiceClient(world.client, to: .estate, app: .anlaka).send(
                .get,
                "/v1/data/estates/\(other)"
            )
            #expect(answer.status == .notFound, "\(other)")
            #expect(try answer.keys() == ["message"])
        }
        let stranger = try await world.client.execute(uri: "/v1\(path)", method: .get, headers: [:], body: nil) { $0 }
        #expect(stranger.status == .forbidden)
        let culture = try await ServiceClient(world.client, to: .estate, app: .culture).send(.get, "/v1\(path)")
        #expect(culture.status.code == 444)
    }

    struct BadForm: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var type: String? = MultipartForm.contentType

        init(_ description: String, _ bytes: [UInt8], type: String? = MultipartForm.contentType) {
            (testDescription, self.bytes, self.type) = (description, bytes, type)
        }

        init(_ description: String, _ form: MultipartForm) { self.init(description, form.bytes) }

        static let good = MultipartForm().file("files", Picture.jpeg()).file("files", Picture.png())
        static let all = [
            BadForm("nothing", []), BadForm("closing boundary alone", MultipartForm()),
            BadForm("no files", MultipartForm().text("files2", "x").file("image", Picture.jpeg())),
            BadForm("a text", MultipartForm().text("files", "x")),
            BadForm("six", (0..<4).reduce(good) { form, _ in form.file("files", Picture.jpeg()) }),
            BadForm("an empty one", good.file("files", [])),
            BadForm("a byte too many", good.file("files", Picture.jpeg(size: 5_242_881))),
            BadForm("a page", good.file("files", Array("<html><script>".utf8))),
            BadForm("a PDF", good.file("files", Array("%PDF-1.7 and more of it".utf8))),
            BadForm("cut off", Array(good.bytes.dropLast(9))),
            BadForm("another boundary", good.bytes, type: "multipart/form-data; boundary=other"),
            BadForm("another type", good.bytes, type: "application/json"), BadForm("no type", good.bytes, type: nil),
        ]
    }

    @Test(arguments: BadForm.all)
    func refusedForm_leavesNoRowsOrFiles(form: BadForm) async throws {
        let files = FilesConfiguration.temporary
        try await EstateWorld.test(people: [9: "중개사"], { $0.files = files }) { world in
            let client = world.client(9)
            let answer = try await client.send(.post, "/v1/estates/files", bytes: form.bytes, type: form.type)
            #expect(answer.status == .badRequest, "\(answer.text)")
            #expect(try answer.keys() == ["message"])
            let count = try await world.database.one("SELECT count(*) FROM uploads") { try $0.decode(Int.self) }
            #expect(count == 0)
            let left = try FileManager.default.subpathsOfDirectory(atPath: files.folder)
            #expect(left == ["incoming"])
        }
    }

    @Test(.service) func upload_withoutSignIn_returns401() async throws {
        let form = MultipartForm().file("files", Picture.jpeg())
        let unsigned = ServiceClient(world.client, to: .estate, app: .anlaka)
        #expect(try await unsigned.send(.post, "/v1/estates/files", form: form).status == .unauthorized)
        try await world.database.execute("UPDATE people SET withdrawn_at = now(), nickname = '' WHERE account_id = 9")
        #expect(try await world.client(9).send(.post, "/v1/estates/files", form: form).status == .unauthorized)
        let count = try await world.database.one("SELECT count(*) FROM uploads") { try $0.decode(Int.self) }
        #expect(count == 0)
    }
}
