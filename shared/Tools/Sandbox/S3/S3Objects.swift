import HTTPTypes
import NIOCore
import Synchronization

final class S3Objects: Sendable {
    struct Object: Sendable {
        var bytes: ByteBuffer
        var type: String
    }

    private let state = Mutex<[String: Object]>([:])

    /// The maximum total size of all objects, in bytes.
    private static let capacity = 512 << 20

    /// In alphabetical order.
    var names: [String] { state.withLock { $0.keys.sorted() } }

    /// - Throws: `S3Error` if the store is full.
    func put(_ name: String, _ object: Object) throws {
        let hasRoom = state.withLock { objects in
            let others = objects.reduce(0) { $0 + ($1.key == name ? 0 : $1.value.bytes.readableBytes) }
            guard others + object.bytes.readableBytes <= Self.capacity else { return false }
            objects[name] = object
            return true
        }
        guard hasRoom else { throw S3Error(.serviceUnavailable, "SlowDown", "Reduce your request rate.") }
    }

    /// - Throws: `S3Error` if the object does not exist.
    func object(_ name: String) throws -> Object {
        guard let object = state.withLock({ $0[name] }) else {
            throw S3Error(.notFound, "NoSuchKey", "The specified key does not exist.")
        }
        return object
    }

    func delete(_ name: String) {
        state.withLock { $0[name] = nil }
    }
}
