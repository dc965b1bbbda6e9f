import Glibc

/// The process's limit on open files and connections.
enum OpenFiles {
    /// Raises the soft limit to the hard limit. The default, often 1,024, is for programs that use `select`, which this
    /// one does not (select(2), "BUGS"); each client of a WebSocket takes two descriptors in the gateway.
    ///
    /// - Returns: The limit now in force.
    @discardableResult
    static func raiseLimit() -> UInt {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(kind, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(kind, &limit)
        getrlimit(kind, &limit)
        return limit.rlim_cur
    }
}
