/// A bucket of an S3-compatible object store, with its credentials.
package struct S3Bucket: Sendable {
    /// `https://host/bucket`, without a trailing slash: path style, which every such store supports.
    package let url: String
    /// The prefix of all object names.
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

/// The access key of an object store.
package struct S3Key: Sendable {
    package let id: String
    package let secret: String

    package init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// The key of the sandbox's object store.
    package static let development = S3Key(id: "madang-development", secret: "madang-development-secret")
}
