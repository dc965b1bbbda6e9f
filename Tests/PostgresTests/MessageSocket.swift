import Glibc

/// A socket with messages of PostgreSQL's protocol (PostgreSQL manual, "Message Formats"), read and written by blocking calls.
struct MessageSocket {
    struct Ended: Error {}

    struct Message {
        var type: UInt8
        var body: [UInt8]

        init(_ type: Character, _ body: [UInt8]) {
            self.init(type.asciiValue ?? 0, body)
        }

        init(_ type: UInt8, _ body: [UInt8]) {
            (self.type, self.body) = (type, body)
        }

        var kind: Character { Character(Unicode.Scalar(type)) }
    }

    let descriptor: Int32

    func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, 0)
            }
            guard got > 0 else { throw Ended() }
            filled += got
        }
        return bytes
    }

    func readMessage() throws -> Message {
        let type = try read(1)[0]
        return Message(type, try readBody())
    }

    /// What follows a length of four bytes, which includes itself.
    func readBody() throws -> [UInt8] {
        let length = try read(4).reduce(0) { $0 << 8 | Int($1) }
        return try read(length - 4)
    }

    func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Ended() }
            sent += count
        }
    }

    func write(_ messages: [Message]) throws {
        try write(messages.flatMap { [$0.type] + Self.withLength($0.body) })
    }

    func close() { Glibc.close(descriptor) }

    static func withLength(_ body: [UInt8]) -> [UInt8] { bytes(Int32(body.count + 4)) + body }

    static func bytes(_ number: Int32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    static func text(_ texts: String...) -> [UInt8] { texts.flatMap { Array($0.utf8) + [0] } }

    /// Zero-terminated texts.
    static func texts(_ body: [UInt8]) -> [String] {
        body.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    static func connect(toServerIn directory: String) throws -> MessageSocket {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("\(directory)/.s.PGSQL.5432".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Ended() }
        return MessageSocket(descriptor: descriptor)
    }

    /// A socket that listens on a free port of 127.0.0.1.
    ///
    /// - Parameter backlog: The number of connections, and one more, that wait to be accepted.
    static func listen(backlog: Int32 = 64) throws -> (MessageSocket, port: Int) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, backlog) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard result else { throw Ended() }
        return (MessageSocket(descriptor: descriptor), Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Passes on what comes from another socket until that ends.
    func passOn(from other: MessageSocket) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(other.descriptor, &bytes, bytes.count, 0)
            guard count > 0, (try? write(Array(bytes[..<count]))) != nil else { break }
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func accept() throws -> MessageSocket {
        let accepted = Glibc.accept(descriptor, nil, nil)
        guard accepted >= 0 else { throw Ended() }
        return MessageSocket(descriptor: accepted)
    }
}
