import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct GalleryFormTests {
    private var world: CompanionWorld { .current }

    struct Form: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var refusal: String?
        var type: String?

        init(_ description: String, _ bytes: [UInt8], _ refusal: String?, type: String? = MultipartForm.contentType) {
            (testDescription, self.bytes, self.refusal, self.type) = (description, bytes, refusal, type)
        }

        init(_ description: String, _ form: MultipartForm, _ refusal: String?) {
            self.init(description, form.bytes, refusal)
        }

        private static let picture = Picture.jpeg()
        private static let good = GalleryFormJSON().form(picture)
        private static let limit = 10 * 1024 * 1024
        private static let invalid = "400 REQUEST_001"

        private static func said(_ change: (inout GalleryFormJSON) -> Void) -> MultipartForm {
            var json = GalleryFormJSON()
            change(&json)
            return json.form(picture)
        }

        private static func letters(_ count: Int) -> String { String(repeating: "가", count: count) }

        static let fine = [
            Form(
                "description first",
                MultipartForm().file(
                    GalleryFormJSON().part.name,
                    GalleryFormJSON().part.bytes,
                    type: "application/json; charset=utf-8"
                ).file("image", picture),
                nil
            ),
            Form("PNG", GalleryFormJSON().form(Picture.png()), nil),
            Form("GIF", GalleryFormJSON().form(Array("GIF89a and more than that".utf8) + [0x3b]), nil),
            Form("as large as may be", GalleryFormJSON().form(Picture.jpeg(size: limit)), nil),
            Form("longest title", said { $0.title = letters(30) }, nil),
            Form("longest content", said { $0.content = letters(200) }, nil),
            Form("another part", good.text("other", "x"), nil),
        ]

        static let bad = [
            Form("nothing", [], invalid), Form("closing boundary alone", MultipartForm(), invalid),
            Form("cut off", Array(good.bytes.dropLast(9)), invalid),
            Form("no picture", GalleryFormJSON().form(nil), invalid),
            Form("no description", MultipartForm().file("image", picture), invalid),
            Form("two pictures", good.file("image", picture), invalid),
            Form("two descriptions", GalleryFormJSON().form(nil, from: good), invalid),
            Form("no form", Array("{}".utf8), invalid, type: "application/json"),
            Form("no type", good.bytes, invalid, type: nil),
            Form(
                "description as text",
                MultipartForm().file("image", picture).text("createGalleryRequest", "{}"),
                "415 REQUEST_011"
            ),
            Form("description as a page", said { $0.type = "text/html" }, "415 REQUEST_011"),
            Form("no JSON", said { $0.json = "{" }, invalid), Form("empty JSON", said { $0.json = "" }, invalid),
            Form("null title", said { $0.json = #"{"category":"바다","title":null,"content":""}"# }, invalid),
            Form("no category", said { $0.json = #"{"title":"a","content":""}"# }, invalid),
            Form("long JSON", said { $0.content = letters(6000) }, "413 REQUEST_001"),
            Form("blank category", said { $0.category = " " }, invalid),
            Form("the filter's all", said { $0.category = "all" }, "400 CONSTANT_001"),
            Form("the app's all", said { $0.category = "전체" }, "400 CONSTANT_001"),
            Form("a key", said { $0.category = "beach" }, "400 CONSTANT_001"),
            Form("empty title", said { $0.title = "" }, invalid),
            Form("blank title", said { $0.title = "  " }, invalid),
            Form("title a letter too long", said { $0.title = letters(31) }, invalid),
            Form("title with NUL", said { $0.title = "a\0" }, invalid),
            Form("content a letter too long", said { $0.content = letters(201) }, invalid),
            Form("content with NUL", said { $0.content = "a\0" }, invalid),
            Form("a byte too large", GalleryFormJSON().form(Picture.jpeg(size: limit + 1)), "413 REQUEST_001"),
            Form("empty picture", GalleryFormJSON().form([]), "400 FILE_001"),
            Form("a page", GalleryFormJSON().form(Array("<html><script>".utf8)), "400 FILE_001"),
            Form("a PDF", GalleryFormJSON().form(Array("%PDF-1.7 and more of it".utf8)), "400 FILE_001"),
            Form("MP4", GalleryFormJSON().form([0, 0, 0, 24] + Array("ftypisom and more".utf8)), "400 FILE_001"),
            Form("a page first", GalleryFormJSON(category: "전체").form(Array("<html>".utf8)), "400 FILE_001"),
        ]
    }

    @Test(.companions, arguments: Form.fine)
    func validForm_isAccepted(form: Form) async throws {
        let answer = try await world.client(1).send(.post, "/api/v1/galleries", bytes: form.bytes, type: form.type)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try await world.count("gallery_items") == 1)
    }

    @Test(arguments: Form.bad)
    func refusedForm_leavesNoRowsOrFiles(form: Form) async throws {
        let files = FilesConfiguration.temporary
        try await CompanionWorld.test({ $0.files = files }) { world in
            let answer = try await world.client(1).send(.post, "/api/v1/galleries", bytes: form.bytes, type: form.type)
            #expect(answer.refusal == form.refusal, "\(answer.text)")
            for table in ["gallery_items", "uploads"] { #expect(try await world.count(table) == 0) }
            #expect(try FileManager.default.subpathsOfDirectory(atPath: files.folder) == ["incoming"])
        }
    }

    @Test func upload_withoutSignIn_leavesNoFiles() async throws {
        let files = FilesConfiguration.temporary
        try await CompanionWorld.test({ $0.files = files }) { world in
            let form = GalleryFormJSON().form(Picture.jpeg())
            let anonymous = ServiceClient(world.client, to: .community, app: .withsuhyeon)
            #expect(try await anonymous.send(.post, "/api/v1/galleries", form: form).refusal == "401 REQUEST_005")
            try await world.database.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 1")
            #expect(try await world.client(1).send(.post, "/api/v1/galleries", form: form).status == .unauthorized)
            for table in ["gallery_items", "uploads"] { #expect(try await world.count(table) == 0) }
            #expect(try FileManager.default.subpathsOfDirectory(atPath: files.folder) == ["incoming"])
        }
    }
}
