import Hummingbird
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Files

@Suite(.database(UploadsWorld.migrations), .uploads) struct UploadFormTests {
    private var world: UploadsWorld { .current }

    @Test func knownFields_areReadAndOthersIgnored() async throws {
        let form = try await world.form(
            MultipartForm().file("other", Picture.jpeg()).text("nick", "하루").file("files", Picture.png())
                .text("more", "x").file("files", Picture.jpeg(orientation: 6))
        )
        #expect(form.texts == ["nick": "하루"])
        #expect(form.files.map(\.type) == [.png, .jpeg])
        #expect(world.files.count == 2)
        world.uploads.discard(form.files)
        #expect(world.files.isEmpty)
    }

    struct BadForm: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]

        init(_ description: String, _ form: MultipartForm, dropping count: Int = 0) {
            testDescription = description
            bytes = Array(form.bytes.dropLast(count))
        }

        static let good = MultipartForm().file("files", Picture.jpeg()).file("files", Picture.png())
        static let all = [
            BadForm("too many", good.file("files", Picture.jpeg()).file("files", Picture.jpeg())),
            BadForm("too large", good.file("files", Picture.jpeg(size: 4097))),
            BadForm("empty", good.file("files", [])), BadForm("a page", good.file("files", Array("<html>".utf8))),
            BadForm("a text twice", good.text("nick", "a").text("nick", "b")),
            BadForm("a long text", good.text("nick", String(repeating: "a", count: 2000))),
            BadForm("cut off after the last part", good, dropping: 10),
            BadForm("cut off within it", good, dropping: 60),
        ]
    }

    @Test(arguments: BadForm.all)
    func refusedForm_leavesNoFiles(form: BadForm) async throws {
        await #expect(throws: (any Error).self) {
            _ = try await world.read(RequestBody(buffer: ByteBuffer(bytes: form.bytes)))
        }
        #expect(world.files.isEmpty)
    }

    @Test func brokenStream_leavesNoFiles() async throws {
        let bytes = BadForm.good.bytes
        let length = bytes.count
        for end in stride(from: 1, to: length, by: 97) {
            let parts = stride(from: 0, to: end, by: 50).map { ByteBuffer(bytes: bytes[$0..<min($0 + 50, end)]) }
            await #expect(throws: Breakdown.self) {
                _ = try await world.read(RequestBody(asyncSequence: Broken(parts: parts)))
            }
            #expect(world.files.isEmpty, "\(end)")
        }
    }

    @Test func formWithOneFile_refusesSecondFile() async throws {
        await #expect(throws: (any Error).self) { _ = try await world.form(BadForm.good, upTo: 1) }
        #expect(world.files.isEmpty)
        let form = try await world.form(MultipartForm().file("files", Picture.jpeg(size: 4096)), upTo: 1)
        #expect(form.files.map(\.size) == [4096])
        world.uploads.discard(form.files)
    }
}

private struct Breakdown: Error {}

/// A stream that fails after its parts.
private struct Broken: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        var parts: ArraySlice<ByteBuffer>

        mutating func next() async throws -> ByteBuffer? {
            guard let part = parts.popFirst() else { throw Breakdown() }
            return part
        }
    }

    let parts: [ByteBuffer]

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts[...]) }
}
