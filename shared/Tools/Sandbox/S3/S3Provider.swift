import Files
import Hummingbird
import NIOCore

/// An S3-compatible object store with one bucket, `madang`, in memory.
///
/// Source: Amazon's "S3 API Reference" (PutObject, GetObject, HeadObject, DeleteObject, ListObjectsV2, "Error
/// Responses"); With Suhyeon contract 7.2. Errors are XML.
struct S3Provider: Provider {
    let name = "s3"
    private let key: S3Key
    private let objects = S3Objects()

    /// - Parameter key: The only accepted access key.
    init(key: S3Key) {
        self.key = key
    }

    /// Larger than any file of the apps.
    var bodyLimit: Int { 64 << 20 }

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        S3Routes(authenticator: S3Authenticator(key: key), objects: objects).add(to: group)
    }

    func addControls(to group: RouterGroup<SandboxContext>) {
        group.get("objects") { _, _ in try Response.snakeJSON(["objects": objects.names]) }
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        S3Error(status, status == .notFound ? "NoSuchBucket" : "InternalError", status.reasonPhrase).response
    }
}

/// An error in the store's format.
struct S3Error: ProviderError {
    var status: HTTPResponse.Status
    var code: String
    var message: String

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    var response: Response {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>\(code)</Code><Message>\(message)</Message></Error>
            """
        return Response(
            status: status,
            headers: [.contentType: "application/xml"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
