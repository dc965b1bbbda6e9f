import Glibc

/// The operating-system account of the server. PostgreSQL refuses to run as root, so root uses the account `postgres`
/// of the distribution's package; other users run it under their own account.
struct ServerAccount: Sendable, Equatable {
    /// The user to switch to; nil for the current one.
    var user: uid_t?
    var group: gid_t?

    /// The server account for the current user.
    static func current() throws(PostgresServerError) -> ServerAccount {
        guard geteuid() == 0 else { return ServerAccount(user: nil, group: nil) }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 16384)
        guard getpwnam_r("postgres", &entry, &text, text.count, &found) == 0, found != nil else {
            throw PostgresServerError(
                "PostgreSQL refuses to run as root and there is no account named postgres. "
                    + "Install the package postgresql, or run this as an ordinary user."
            )
        }
        return ServerAccount(user: entry.pw_uid, group: entry.pw_gid)
    }

    /// Whether the account can access `directory`: every existing parent directory grants it passage.
    func canAccess(_ directory: String) -> Bool {
        guard let user else { return true }
        var prefix = ""
        for part in directory.split(separator: "/") {
            prefix += "/\(part)"
            var status = stat()
            guard stat(prefix, &status) == 0 else { return true }
            let bit: mode_t = status.st_uid == user ? S_IXUSR : status.st_gid == group ? S_IXGRP : S_IXOTH
            // The last directory will be owned by the account.
            guard status.st_mode & bit != 0 || prefix == directory else { return false }
        }
        return true
    }
}
