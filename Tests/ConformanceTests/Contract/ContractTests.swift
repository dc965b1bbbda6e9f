import Apps
import Contracts
import Testing

@testable import Conformance

struct ContractTests {
    @Test(arguments: zip(App.allCases, [45, 66, 61, 30, 42]))
    func everyCall_isParsed(_ app: App, _ count: Int) throws {
        let contract = try Contract(of: app)
        #expect(contract.calls.count == count)
        #expect(Set(contract.calls.map(\.name)).count == count)
        for call in contract.calls where call.kind == .rest {
            #expect(call.httpMethod != nil, "\(call.name)")
            #expect(!call.success.isEmpty, "\(call.name)")
            #expect(call.path.hasPrefix("/"), "\(call.name)")
        }
    }

    @Test func refusals_haveStatusAndCode() throws {
        let moup = try #require(try Contract(of: .moup)["POST /workplaces"])
        #expect(moup.refusals.contains(.init(status: 409, code: "WORKPLACE_NAME_409")))
        #expect(moup.refusals.contains(.init(status: 401)))
        let other = try #require(try Contract(of: .withsuhyeon)["GET /api/v1/posts/{postId}"])
        #expect(other.refusals.contains(.init(status: 404, code: "POST_006")))
    }

    @Test func requests_sayWhereFieldsAre() throws {
        let call = try #require(try Contract(of: .withsuhyeon)["POST /api/v1/message/verify"])
        #expect(call.request.contains(.init(place: .query, name: "flow", rule: "string enum signup|signin")))
        #expect(call.request.contains { $0.place == .body && $0.name == "phoneNumber" })
        let upload = try #require(try Contract(of: .anlaka)["POST /v1/posts/files"])
        #expect(upload.request.map(\.place) == [.multipart])
    }

    @Test func responses_haveCases() throws {
        guard case .cases(let cases)? = try Contract(of: .moup)["GET /home"]?.response else {
            Issue.record("the home screen has no cases")
            return
        }
        #expect(cases.map(\.name) == ["worker", "owner"])
    }

    @Test func envelope_isOrdered() throws {
        guard case .json(.object(let type))? = try Contract(of: .withsuhyeon)["GET /api/v1/home"]?.response else {
            Issue.record("the home screen has no object")
            return
        }
        #expect(type.isOrdered)
        #expect(type.fields.map(\.name) == ["errorCode", "message", "result"])
    }

    @Test(arguments: [
        (
            #"[{"kind":"rest","method":"GET","path":"/x","auth":true,"used_by_ios":true,"response":{"a":"text"}}]"#,
            "“text”"
        ),
        (#"[{"kind":"letter","method":"GET","path":"/x","auth":true,"used_by_ios":true}]"#, "kind"),
        (#"[{"kind":"rest","method":"GET","path":"/x","used_by_ios":true}]"#, "auth"),
        (
            #"[{"kind":"rest","method":"GET","path":"/x","auth":true,"used_by_ios":true,"errors":["404 a b"]}]"#,
            "404 a b"
        ),
        ("[{", "not JSON"),
    ])
    func whatIsNotUnderstood_isNamed(_ json: String, _ part: String) {
        let error = #expect(throws: ConformanceError.self) { try Contract(of: .moup, json: json.utf8) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
