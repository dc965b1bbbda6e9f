import FoundationEssentials
import Testing

@testable import Files

/// The examples of Amazon's documentation ("Authenticating Requests: Transferring Payload in a Single Chunk").
@Suite struct S3SignatureTests {
    private static let time = "20130524T000000Z"
    private let signature = S3Signature(
        key: S3Key(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1"
    )

    @Test func getSignature_matchesExample() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let text = signature.authorization(
            method: "GET",
            path: "/test.txt",
            headers: [
                ("Host", "examplebucket.s3.amazonaws.com"), ("Range", "bytes=0-9"), ("x-amz-content-sha256", empty),
                ("x-amz-date", Self.time),
            ],
            payload: empty,
            time: Self.time
        )
        #expect(
            text == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        )
    }

    @Test func putSignature_matchesExample() {
        let payload = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        let text = signature.authorization(
            method: "PUT",
            path: "/test%24file.text",
            headers: [
                ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("Host", "examplebucket.s3.amazonaws.com"),
                ("x-amz-content-sha256", payload), ("x-amz-date", Self.time),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            payload: payload,
            time: Self.time
        )
        #expect(text.hasSuffix("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    @Test func listSignature_matchesExample() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let text = signature.authorization(
            method: "GET",
            path: "/",
            query: "max-keys=2&prefix=J",
            headers: [
                ("Host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", empty), ("x-amz-date", Self.time),
            ],
            payload: empty,
            time: Self.time
        )
        #expect(text.hasSuffix("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
    }

    @Test func queryValues_areEncodedExceptUnreservedCharacters() {
        #expect(S3Signature.encoded("aZ09-._~/+= &\u{1}가") == "aZ09-._~%2F%2B%3D%20%26%01%EA%B0%80")
    }

    @Test func timeText_roundTrips() throws {
        let date = try #require(S3Time.date(Self.time))
        #expect(date == Date(timeIntervalSince1970: 1_369_353_600) && S3Time(date).text == Self.time)
        for text in ["", "20130524T000000", "2013-05-24T00:00:00Z", "20131324T000000Z"] {
            #expect(S3Time.date(text) == nil)
        }
    }
}
