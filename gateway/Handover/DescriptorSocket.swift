import FoundationEssentials
import Glibc

/// A Unix socket whose messages carry open files to another process (`SCM_RIGHTS`, unix(7)). Its calls block.
final class DescriptorSocket: Sendable {
    /// The other process has closed its end, or has ended.
    struct Ended: Error {}

    /// A call of the system that failed.
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let code: CInt

        init(_ call: String) { (self.call, code) = (call, errno) }

        /// Whether the other process has not answered in time.
        var isTimeout: Bool { code == EAGAIN }

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// A message is smaller than what the kernel keeps by default for a socket (socket(7), `wmem_default`).
    private static let longestMessage = 200 * 1024
    /// The most that Linux passes with one message (`SCM_MAX_FD`).
    static let mostDescriptors = 253
    private static let headerSize = MemoryLayout<cmsghdr>.size

    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    // MARK: Opening

    private static func open() throws -> DescriptorSocket {
        let descriptor = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure("socket") }
        return DescriptorSocket(descriptor)
    }

    /// - Returns: nil if no process listens at the path.
    static func connect(to path: String) throws -> DescriptorSocket? {
        let socket = try open()
        let result = try withAddress(path) { Glibc.connect(socket.descriptor, $0, $1) }
        if result == 0 { return socket }
        guard errno == ENOENT || errno == ECONNREFUSED else { throw Failure("connect to \(path)") }
        return nil
    }

    /// Listens at a path, in place of another process. The account of this process alone may connect.
    static func listen(at path: String) throws -> DescriptorSocket {
        let socket = try open()
        let new = "\(path).\(getpid())"
        unlink(new)
        guard try withAddress(new, { bind(socket.descriptor, $0, $1) }) == 0 else { throw Failure("bind to \(path)") }
        guard chmod(new, 0o600) == 0, Glibc.listen(socket.descriptor, 4) == 0, rename(new, path) == 0 else {
            throw Failure("listen at \(path)")
        }
        return socket
    }

    private static func withAddress<Value>(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) throws -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            guard path.utf8.count < bytes.count else { return false }
            bytes.copyBytes(from: path.utf8)
            return true
        }
        guard isShort else {
            errno = ENAMETOOLONG
            throw Failure("use \(path)")
        }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// - Returns: nil once `end` has been called.
    func accept() -> DescriptorSocket? {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 {
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                return DescriptorSocket(accepted)
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Ends all calls that wait.
    func end() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    // MARK: The other process

    struct Peer: Sendable {
        let process: pid_t
        let user: uid_t
    }

    /// The process that has connected (`SO_PEERCRED`, unix(7)).
    func peer() throws -> Peer {
        // The fields of `ucred`: process, user, group.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
            throw Failure("getsockopt")
        }
        return Peer(process: credentials.0, user: credentials.1)
    }

    /// Sets for how long a message is waited for.
    func setTimeout(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    // MARK: Messages

    /// - Parameter descriptors: Stay open here, too.
    func send(_ bytes: Data, _ descriptors: [CInt] = []) throws {
        let rights = descriptors.count * MemoryLayout<CInt>.size
        try withControl(descriptors.count) { control in
            if rights > 0 {
                var header = cmsghdr()
                header.cmsg_len = Self.headerSize + rights
                header.cmsg_level = SOL_SOCKET
                header.cmsg_type = CInt(SCM_RIGHTS)
                control.storeBytes(of: header, as: cmsghdr.self)
                let rest = UnsafeMutableRawBufferPointer(rebasing: control[Self.headerSize...])
                descriptors.withUnsafeBytes { rest.copyMemory(from: $0) }
            }
            let sent = withMessage(bytes, control) { sendmsg(descriptor, $0, CInt(MSG_NOSIGNAL)) }
            guard sent == bytes.count else {
                throw errno == EPIPE || errno == ECONNRESET ? Ended() : Failure("sendmsg")
            }
        }
    }

    /// Whether a message has come, or the other end is closed.
    var isReadable: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 1
    }

    /// - Returns: A message, and new descriptors of the files that came with it.
    func receive() throws -> (bytes: Data, descriptors: [CInt]) {
        var bytes = Data(count: Self.longestMessage)
        return try withControl(Self.mostDescriptors) { control in
            var count = 0
            var controlSize = 0
            repeat {
                count = withMessage(&bytes, control) { message in
                    let count = recvmsg(descriptor, message, CInt(MSG_CMSG_CLOEXEC))
                    controlSize = message.pointee.msg_controllen
                    return count
                }
            } while count < 0 && errno == EINTR
            guard count > 0 else { throw count == 0 || errno == ECONNRESET ? Ended() : Failure("recvmsg") }
            var descriptors: [CInt] = []
            if controlSize >= Self.headerSize {
                let header = control.loadUnaligned(as: cmsghdr.self)
                let rights = UnsafeRawBufferPointer(control)[Self.headerSize..<min(header.cmsg_len, controlSize)]
                for offset in stride(from: 0, to: rights.count, by: MemoryLayout<CInt>.size) {
                    descriptors.append(
                        UnsafeRawBufferPointer(rebasing: rights).loadUnaligned(fromByteOffset: offset, as: CInt.self)
                    )
                }
            }
            return (bytes.prefix(count), descriptors)
        }
    }

    /// - Parameter count: The number of descriptors to have room for.
    private func withControl<Value>(
        _ count: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        let size = count == 0 ? 0 : Self.headerSize + (count * MemoryLayout<CInt>.size + 7) / 8 * 8
        let control = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { control.deallocate() }
        return try body(control)
    }

    private func withMessage(
        _ bytes: Data,
        _ control: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeMutablePointer<msghdr>) -> Int
    ) -> Int {
        var copy = bytes
        return withMessage(&copy, control, body)
    }

    private func withMessage(
        _ bytes: inout Data,
        _ control: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeMutablePointer<msghdr>) -> Int
    ) -> Int {
        bytes.withUnsafeMutableBytes { content in
            var part = iovec(iov_base: content.baseAddress, iov_len: content.count)
            return withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.isEmpty ? nil : control.baseAddress
                message.msg_controllen = control.count
                return body(&message)
            }
        }
    }
}
