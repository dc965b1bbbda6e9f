import NIOCore
import TestKit
import Testing

@testable import Files

@Suite struct MultipartReaderTests {
    /// A part as it was read, with its body.
    private struct Read: Equatable {
        var part: MultipartPart
        var body: String
    }

    private func read(
        _ body: String,
        boundary: String = "b",
        sizes: [Int] = [],
        limits: MultipartLimits = MultipartLimits()
    ) async throws -> [Read] {
        let boundary = try MultipartBoundary(contentTypes: ["multipart/form-data; boundary=\(boundary)"])
        let form = MultipartReader(CutBytes(Array(body.utf8), sizes: sizes), boundary: boundary, limits: limits)
        var parts: [Read] = []
        while let part = try await form.nextPart() {
            parts.append(Read(part: part, body: try await form.text(upTo: 1 << 20)))
        }
        return parts
    }

    private func form(_ headers: String = "Content-Disposition: form-data; name=\"a\"", _ body: String = "x") -> String
    {
        "--b\r\n\(headers)\r\n\r\n\(body)\r\n--b--\r\n"
    }

    @Test func form_isReadInAnyChunks() async throws {
        let body = """
            --b\r\nContent-Disposition: form-data; name="nick"\r\n\r\n하루\r\n\
            --b\r\nContent-Disposition: form-data; name="profile"; filename="profile.jpg"\r\n\
            Content-Type: image/JPEG; x=y\r\n\r\n\r\n--x\r\n-\r\n--b--\r\nwhatever follows
            """
        let expected = [
            Read(part: MultipartPart(name: "nick"), body: "하루"),
            Read(
                part: MultipartPart(name: "profile", filename: "profile.jpg", contentType: "image/jpeg"),
                body: "\r\n--x\r\n-"
            ),
        ]
        #expect(try await read(body) == expected)
        for size in 1...7 { #expect(try await read(body, sizes: [size]) == expected) }
    }

    @Test func preambleBlanksAndEmptyParts_areAccepted() async throws {
        // An empty body may be omitted together with the line end before it (RFC 2046 §5.1.1).
        for end in ["\r\n\r\n\r\n", "\r\n\r\n"] {
            let body = "a preamble\r\n--b \t\r\nContent-Disposition: form-data; name=a\(end)--b--"
            for size in [1, 3, 1000] {
                #expect(try await read(body, sizes: [size]) == [Read(part: MultipartPart(name: "a"), body: "")])
            }
        }
    }

    @Test func closingBoundaryAlone_isFormWithoutParts() async throws {
        for body in ["--b--", "--b--\r\n", "\r\n--b--\r\n"] {
            for size in 1...9 { #expect(try await read(body, sizes: [size]).isEmpty) }
        }
    }

    @Test(arguments: [
        ("", MultipartError.empty),
        ("--c\r\n\r\n--c--", .boundaryNotFound),
        ("x--b--", .boundaryNotFound),
        ("--b\nContent-Disposition: form-data; name=a\n\nx\n--b--", .delimiter),
        ("--b", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b-", .truncated),
        ("--b-x", .delimiter),
        ("--bb--", .delimiter),
        ("--b\rx", .delimiter),
    ])
    func invalidForm_throws(body: String, error: MultipartError) async throws {
        for size in [1, 2, 1000] { await #expect(throws: error) { _ = try await read(body, sizes: [size]) } }
    }

    @Test(arguments: [
        ("Content-Type: text/plain", MultipartError.nameMissing),
        ("Content-Disposition: attachment; name=a", .nameMissing),
        ("Content-Disposition: form-data", .nameMissing),
        ("Content-Disposition: form-data; name=\"\"", .nameMissing),
        ("Content-Disposition: form-data; name=a; name=b", .header),
        ("Content-Disposition: form-data; name=\"a", .header),
        ("Content-Disposition: form-data; name=\"a\"b", .header),
        (
            "Content-Disposition: form-data; name=a\r\ncontent-disposition: form-data; name=b",
            .duplicateHeader("Content-Disposition")
        ),
        (
            "Content-Disposition: form-data; name=a\r\nContent-Type: a/b\r\nContent-Type: a/b",
            .duplicateHeader("Content-Type")
        ),
        ("Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64", .transferEncoding),
        ("Content-Disposition: form-data; name=a; filename*=UTF-8''%ff", .nameUnreadable),
        ("Content-Disposition: form-data; name=a; filename*=UTF-8''%+1", .nameUnreadable),
        ("Content-Disposition: form-data; name=a; filename*=KOI8-R''x", .nameUnreadable),
        ("no colon", .header), (": x", .header), ("a b: x", .header), ("a:\u{1}", .header), ("a: x\n", .header),
        ("a: x\r\n folded", .header),
    ])
    func invalidPartHeaders_throw(headers: String, error: MultipartError) async throws {
        await #expect(throws: error) { _ = try await read(form(headers)) }
    }

    @Test(arguments: [
        (#"filename="a \"quoted\" \\ name.jpg""#, #" name.jpg"#),
        (#"filename="say \"hi\".jpg""#, #"say "hi".jpg"#),
        (#"filename="say %22hi%22.jpg""#, #"say "hi".jpg"#),
        (#"filename="C:\fotos\me.jpg""#, "me.jpg"), ("filename=\"../../etc/passwd\"", "passwd"),
        ("filename=\"한강.jpg\"", "한강.jpg"), ("filename=plain.jpg", "plain.jpg"), ("filename=\"\"", ""),
        ("filename=\"x.jpg\"; filename*=UTF-8''%ED%95%9C.jpg", "한.jpg"),
        ("filename*=iso-8859-1'de'%FCber.jpg; filename=x", "über.jpg"),
        ("filename=\"a;b=c.jpg\" ; other=1", "a;b=c.jpg"), ("filename=x.jpg;", "x.jpg"),
    ])
    func filename_isParsedInClientFormats(parameter: String, name: String) async throws {
        let parts = try await read(form("Content-Disposition: form-data; name=\"a\"; \(parameter)"))
        #expect(parts.map(\.part.filename) == [name])
    }

    @Test func headersAndParts_areLimited() async throws {
        let long = form("Content-Disposition: form-data; name=a\r\nX-Long: \(String(repeating: "x", count: 9000))")
        await #expect(throws: MultipartError.headersTooLarge(limit: 8192)) { _ = try await read(long, sizes: [100]) }
        let blanks = "--b\(String(repeating: " ", count: 9000))\r\n"
        await #expect(throws: MultipartError.delimiter) { _ = try await read(blanks, sizes: [100]) }
        let part = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n"
        let many = String(repeating: part, count: 5) + "--b--"
        #expect(try await read(many, limits: MultipartLimits(parts: 5)).count == 5)
        await #expect(throws: MultipartError.tooManyParts(limit: 4)) {
            _ = try await read(many, limits: MultipartLimits(parts: 4))
        }
    }

    @Test func text_isLimitedAndRequiresUTF8() async throws {
        let boundary = try MultipartBoundary(contentTypes: ["multipart/form-data; boundary=b"])
        let body = Array(form(body: "12345").utf8)
        let exact = MultipartReader(CutBytes(body, sizes: [3]), boundary: boundary)
        _ = try await exact.nextPart()
        #expect(try await exact.text(upTo: 5) == "12345")
        let over = MultipartReader(CutBytes(body, sizes: [3]), boundary: boundary)
        _ = try await over.nextPart()
        await #expect(throws: MultipartError.partTooLarge(name: "a", limit: 4)) { _ = try await over.text(upTo: 4) }
        let broken = body.map { $0 == UInt8(ascii: "3") ? 0xff : $0 }
        let unreadable = MultipartReader(CutBytes(broken, sizes: [3]), boundary: boundary)
        _ = try await unreadable.nextPart()
        await #expect(throws: MultipartError.textUnreadable(name: "a")) { _ = try await unreadable.text(upTo: 9) }
    }

    @Test func unreadBody_isSkipped() async throws {
        let boundary = try MultipartBoundary(contentTypes: ["multipart/form-data; boundary=b"])
        let part =
            "--b\r\nContent-Disposition: form-data; name=\"%\"\r\n\r\n\(String(repeating: "\r\n-", count: 99))\r\n"
        let body = part.replacing("%", with: "a") + part.replacing("%", with: "b") + "--b--"
        let form = MultipartReader(CutBytes(Array(body.utf8), sizes: [7]), boundary: boundary)
        #expect(try await form.nextPart()?.name == "a")
        #expect(try await form.nextPart()?.name == "b")
        #expect(try await form.nextPart() == nil)
        #expect(try await form.nextPart() == nil)
    }

    private func form(body: String) -> String { form("Content-Disposition: form-data; name=\"a\"", body) }
}

/// Bytes in chunks of the given sizes, which repeat; one chunk without sizes.
struct CutBytes: AsyncSequence, AsyncIteratorProtocol {
    private var bytes: ArraySlice<UInt8>
    private var sizes: [Int]
    private var index = 0

    init(_ bytes: [UInt8], sizes: [Int]) {
        self.bytes = bytes[...]
        self.sizes = sizes.isEmpty ? [Swift.max(bytes.count, 1)] : sizes
    }

    func makeAsyncIterator() -> CutBytes { self }

    mutating func next() async throws -> ByteBuffer? {
        guard !bytes.isEmpty else { return nil }
        let chunk = bytes.prefix(sizes[index % sizes.count])
        bytes = bytes.dropFirst(chunk.count)
        index += 1
        return ByteBuffer(bytes: chunk)
    }
}
