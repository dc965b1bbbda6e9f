import Authentication
import Crypto
import CryptoExtras
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Hashes passwords with scrypt (RFC 7914) on a dedicated thread pool, so that a burst of sign-ins does not slow other
/// requests.
///
/// Hashes are stored as `scrypt$15$8$1$salt$hash`: the logarithm of N, r, p, then salt and hash in base64url. The
/// stored parameters allow stronger ones to be introduced later.
final class PasswordHasher: Sendable {
    /// The scrypt parameters.
    struct Cost: Sendable, Equatable {
        var logN = 15
        var r = 8
        var p = 1

        /// The cheapest parameters, for tests.
        static let least = Cost(logN: 1, r: 1, p: 1)
    }

    private let threads: NIOThreadPool
    private let cost: Cost
    private let queueLimit: Int
    private let queued = Atomic<Int>(0)

    /// - Parameters:
    ///   - threads: hashes computed concurrently; each takes 32 MB at the default cost.
    ///   - queueLimit: hashes that may wait; further ones fail with `AccountError.busy`.
    init(cost: Cost = Cost(), threads: Int, queueLimit: Int) {
        self.cost = cost
        self.queueLimit = queueLimit
        self.threads = NIOThreadPool(numberOfThreads: threads)
        self.threads.start()
    }

    deinit { threads.shutdownGracefully { _ in } }

    /// The text to store for a password.
    func hash(_ password: Password) async throws -> String {
        let cost = cost
        return try await onPool {
            var generator = SystemRandomNumberGenerator()
            let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let hash = try Self.derive(password.text, salt: salt, cost: cost)
            return "scrypt$\(cost.logN)$\(cost.r)$\(cost.p)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
        }
    }

    /// Whether a password matches a stored text. Without a stored text it computes a hash all the same and returns
    /// false, so that the response time does not reveal whether an account exists.
    func verify(_ password: String, against stored: String?) async throws -> Bool {
        let fields = stored?.split(separator: "$").map(String.init) ?? []
        let cost = cost
        return try await onPool {
            guard fields.count == 6, let logN = Int(fields[1]), let r = Int(fields[2]), let p = Int(fields[3]),
                let salt = Base64URL.decode(fields[4].utf8), let hash = Base64URL.decode(fields[5].utf8)
            else {
                _ = try Self.derive(password, salt: Array(repeating: 0, count: 16), cost: cost)
                return false
            }
            let candidate = try Self.derive(password, salt: salt, cost: Cost(logN: logN, r: r, p: p))
            return HashedBytes(candidate) == HashedBytes(hash)
        }
    }

    private func onPool<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        let waiting = queued.wrappingAdd(1, ordering: .relaxed).newValue
        defer { queued.wrappingSubtract(1, ordering: .relaxed) }
        guard waiting <= queueLimit else { throw AccountError.busy }
        return try await threads.runIfActive {
            Self.stepBack()
            return try work()
        }
    }

    /// Lowers the priority of the calling thread: on Linux, `setpriority` with process 0 affects only that thread. It gets a
    /// third of a normal thread's time while the processors are full: with less, no sign-in would end within its deadline.
    private static func stepBack() {
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    }

    private static func derive(_ password: String, salt: [UInt8], cost: Cost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.utf8.prefix(1024)),
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << cost.logN,
            blockSize: cost.r,
            parallelism: cost.p
        )
        return key.withUnsafeBytes { Array($0) }
    }
}

/// Compares in constant time, since the digests of both values are compared.
private struct HashedBytes: Equatable {
    private let digest: SHA256.Digest

    init(_ bytes: [UInt8]) {
        self.digest = SHA256.hash(data: bytes)
    }
}
