import Glibc

/// Resolves host names without blocking the event loop, as libpq would.
enum HostResolver {
    /// - Returns: The numeric addresses; empty for a Unix socket, and if there are none (libpq then reports the
    ///   reason).
    static func addresses(of host: String) async -> [String] {
        if host.hasPrefix("/") { return [] }
        let numeric = lookUp(host, AI_NUMERICHOST)
        guard numeric.isEmpty else { return numeric }
        return await BlockingThread.call { lookUp(host, 0) }
    }

    private static func lookUp(_ host: String, _ flags: Int32) -> [String] {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0?.pointee.ai_next }.compactMap { entry in
            guard let entry = entry?.pointee else { return nil }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
                guard let start = text.baseAddress,
                    getnameinfo(entry.ai_addr, entry.ai_addrlen, start, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                        == 0
                else { return nil }
                return String(cString: start)
            }
        }
    }
}
