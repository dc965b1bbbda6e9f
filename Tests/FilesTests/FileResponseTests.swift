import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import Files

@Suite struct FileResponseTests {
    private static let bytes = (0..<1000).map { UInt8($0 % 251) }

    private func get(_ headers: HTTPFields) async throws -> TestResponse {
        let router = Router()
        router.get("file") { request, _ in
            Response.file(StoredBytes(Self.bytes), type: .mp4, name: "a.mp4", sharing: .caller, to: request)
        }
        return try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/file", method: .get, headers: headers) { $0 }
        }
    }

    @Test func wholeFile_hasSecurityHeaders() async throws {
        let answer = try await get([:])
        #expect(answer.status == .ok && Array(answer.body.readableBytesView) == Self.bytes)
        #expect(answer.headers[.contentType] == "video/mp4" && answer.headers[.acceptRanges] == "bytes")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
        #expect(answer.headers[.cacheControl]?.hasPrefix("private") == true)
    }

    @Test func rangeRequest_returnsPart() async throws {
        let answer = try await get([.range: "bytes=100-199"])
        #expect(answer.status == .partialContent)
        #expect(answer.body.readableBytesView.elementsEqual(Self.bytes[100..<200]))
        #expect(answer.headers[.contentRange] == "bytes 100-199/1000" && answer.headers[.contentLength] == "100")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
    }

    @Test func rangeBeyondEnd_returns416() async throws {
        let answer = try await get([.range: "bytes=1000-"])
        #expect(answer.status == .rangeNotSatisfiable && answer.headers[.contentRange] == "bytes */1000")
        #expect(answer.body.readableBytes == 0)
    }

    /// A client whose part may be outdated (`If-Range`) gets the whole file.
    @Test func rangeWithOtherIfRange_returnsWholeFile() async throws {
        let answer = try await get([.range: "bytes=0-1", .ifRange: "\"x\""])
        #expect(answer.status == .ok && answer.body.readableBytes == 1000)
    }
}
