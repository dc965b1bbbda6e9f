import Glibc

/// How many files and connections the process may have open.
enum OpenFiles {
    /// Raises the soft limit as far as the process may. It is low by default, often 1,024, for programs that call
    /// `select`, which nothing here does (select(2), "BUGS"); a phone with a socket takes two in the gateway.
    ///
    /// - Returns: the limit that holds now.
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
