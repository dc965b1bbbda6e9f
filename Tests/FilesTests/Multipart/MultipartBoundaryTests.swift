import Testing

@testable import Files

@Suite struct MultipartBoundaryTests {
    @Test(arguments: [
        (["multipart/form-data; boundary=abc"], "abc"),
        (["Multipart/Form-Data;BOUNDARY=\"a b\""], "a b"),
        (["multipart/form-data; charset=utf-8; boundary=abc"], "abc"),
        // The field is set twice, once without a boundary, as two fields or joined into one.
        (["multipart/form-data", "multipart/form-data; boundary=abc"], "abc"),
        (["multipart/form-data, multipart/form-data; boundary=abc"], "abc"),
        (["multipart/form-data; boundary=\"a,b\", multipart/form-data"], "a,b"),
        (["application/json", "multipart/form-data; boundary=abc"], "abc"),
        (["multipart/form-data; boundary=abc", "multipart/form-data; boundary=abc"], "abc"),
    ])
    func boundary_isParsed(types: [String], boundary: String) throws {
        #expect(try MultipartBoundary(contentTypes: types).bytes == Array(boundary.utf8))
    }

    @Test(arguments: [
        ([], MultipartError.notMultipart), ([""], .notMultipart), (["application/json"], .notMultipart),
        (["multipart/mixed; boundary=a"], .notMultipart), (["multipart/form-data"], .boundary),
        (["multipart/form-data; boundary="], .boundary), (["multipart/form-data; boundary=\"\""], .boundary),
        (["multipart/form-data; boundary=\"a"], .boundary), (["multipart/form-data; boundary=\"a \""], .boundary),
        (["multipart/form-data; boundary=a", "multipart/form-data; boundary=b"], .boundary),
        (["multipart/form-data; boundary=\(String(repeating: "x", count: 71))"], .boundary),
        (["multipart/form-data; boundary=한"], .boundary),
    ])
    func invalidContentType_throws(types: [String], error: MultipartError) {
        #expect(throws: error) { try MultipartBoundary(contentTypes: types) }
    }
}
