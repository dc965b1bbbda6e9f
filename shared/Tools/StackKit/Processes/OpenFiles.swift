import Glibc

/// The limit on open files and connections of this process and its children.
package enum OpenFiles {
    /// The maximum limit that the system allows.
    package static var most: UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return UInt(min(limit.rlim_max, rlim_t(Int32.max)))
    }

    /// - Throws: `StackError` if the system does not allow the limit.
    package static func allow(_ count: UInt) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < count else { return }
        limit.rlim_cur = min(count, limit.rlim_max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur >= count else {
            throw StackError("a process may not have \(count) files open; raise `ulimit -n`")
        }
    }
}
