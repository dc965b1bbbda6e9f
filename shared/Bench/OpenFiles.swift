import Glibc
import StackKit

/// How many files and connections this process, and the ones that it starts, may have open.
enum OpenFiles {
    /// How many the system allows a process of this user at most.
    static var most: UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return UInt(min(limit.rlim_max, rlim_t(Int32.max)))
    }

    /// - Throws: `StackError` where the system does not allow so many.
    static func allow(_ count: UInt) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < count else { return }
        limit.rlim_cur = min(count, limit.rlim_max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur >= count else {
            throw StackError("a process may not have \(count) files open; raise `ulimit -n`")
        }
    }
}
