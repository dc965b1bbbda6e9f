import Glibc

/// Locates PostgreSQL's programs.
enum Binaries {
    /// The directory with `initdb`, `pg_ctl` and `postgres`: the newest version below Debian's `/usr/lib/postgresql`,
    /// or else the first directory on the `PATH` that contains them.
    static func directory() throws(PostgresServerError) -> String {
        let debian = "/usr/lib/postgresql"
        let versions = entries(of: debian).filter { isComplete("\(debian)/\($0)/bin") }
        if let newest = versions.max(by: { number($0) < number($1) }) { return "\(debian)/\(newest)/bin" }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        if let found = path.split(separator: ":").first(where: { isComplete(String($0)) }) { return String(found) }
        throw PostgresServerError(
            "PostgreSQL is not installed. Install it: apt-get install postgresql postgresql-15-postgis-3"
        )
    }

    private static func isComplete(_ directory: String) -> Bool {
        ["initdb", "pg_ctl", "postgres"].allSatisfy { access("\(directory)/\($0)", X_OK) == 0 }
    }

    private static func number(_ version: String) -> Double {
        Double(version) ?? 0
    }

    private static func entries(of directory: String) -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { names.append(String(cString: $0)) }
            }
        }
        return names.filter { !$0.hasPrefix(".") }
    }
}
