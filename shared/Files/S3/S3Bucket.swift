/// A bucket of an S3-compatible object store, and how to get in.
package struct S3Bucket: Sendable {
    /// `https://host/bucket`, without a slash at the end: in path style, which every such store understands.
    package let url: String
    /// What the names of all objects begin with.
    package let prefix: String
    package let region: String
    package let key: S3Key

    package init(url: String, prefix: String, region: String, key: S3Key) {
        self.url = url
        self.prefix = prefix
        self.region = region
        self.key = key
    }
}

/// Who calls an object store.
package struct S3Key: Sendable {
    package let id: String
    package let secret: String

    package init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// What the sandbox's store takes.
    package static let development = S3Key(id: "madang-development", secret: "madang-development-secret")
}
