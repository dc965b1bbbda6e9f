import Postgres
import StackKit

/// What a move requires of a server.
struct ServerFacts: Sendable {
    /// For messages.
    var place: String
    /// The major version.
    var version = 15
    var isSuperuser = true
    /// Whether it is a standby, which accepts no writes.
    var isStandby = false
    /// Distinguishes servers, also copies of the same files.
    var identity: String
    var walLevel = "logical"
    var freeSlots = 10
    var freeSenders = 10
    var freeWorkers = 4
    /// The number of tables that are copied at the same time.
    var copies = 2
    /// The versions of extensions: of the source those in use, of the target those that can be created.
    var extensions: [String: [String]] = [:]
    /// Of the target's disk, in bytes; nil if unknown.
    var freeBytes: Int?

    init(place: String, identity: String) {
        (self.place, self.identity) = (place, identity)
    }

    /// - Parameter isSource: Whether the extensions in use are read, instead of those that can be created.
    init(of client: PostgresClient, at place: String, isSource: Bool) async throws {
        self = try await client.one(
            """
            SELECT current_setting('server_version_num')::bigint / 10000, rolsuper, pg_is_in_recovery(),
                (SELECT system_identifier::text FROM pg_control_system()) || ' ' || pg_postmaster_start_time()::text
            FROM pg_roles WHERE rolname = current_user
            """
        ) { row in
            let (version, isSuperuser, isStandby, id) = try row.decode(Int.self, Bool.self, Bool.self, String.self)
            var facts = ServerFacts(place: place, identity: id)
            (facts.version, facts.isSuperuser, facts.isStandby) = (version, isSuperuser, isStandby)
            return facts
        }
        walLevel = try await client.value("SHOW wal_level")
        freeSlots = try await client.value(
            """
            SELECT current_setting('max_replication_slots')::bigint - CASE WHEN \(isSource)
                THEN (SELECT count(*) FROM pg_replication_slots) ELSE (SELECT count(*) FROM pg_replication_origin) END
            """
        )
        freeSenders = try await client.value(
            "SELECT current_setting('max_wal_senders')::bigint - (SELECT count(*) FROM pg_stat_replication)"
        )
        freeWorkers = try await client.value(
            """
            SELECT current_setting('max_logical_replication_workers')::bigint
                - (SELECT count(*) FROM pg_stat_subscription WHERE pid IS NOT NULL)
            """
        )
        copies = try await client.value("SELECT current_setting('max_sync_workers_per_subscription')::bigint")
        let versions = try await client.all(
            isSource
                ? "SELECT extname::text, extversion::text FROM pg_extension WHERE extname <> 'plpgsql'"
                : "SELECT name::text, version::text FROM pg_available_extension_versions"
        ) { try $0.decode(String.self, String.self) }
        extensions = Dictionary(grouping: versions) { $0.0 }.mapValues { $0.map(\.1) }
    }

    /// Why a schema cannot be moved from this server to another one, in one sentence; nil if it can.
    func problem(movingTo target: ServerFacts, _ schema: SchemaFacts) -> String? {
        let needed = 1 + target.copies
        if identity == target.identity { return "\(target.place) is the server that has \(schema.name) already" }
        if !target.isSuperuser { return "the account of \(target.place) is no superuser, as a move needs" }
        if target.isStandby { return "\(target.place) is a standby; name its primary first in the URL" }
        if target.version < version {
            return "\(target.place) is PostgreSQL \(target.version), older than the present \(version)"
        }
        if walLevel != "logical" {
            return "wal_level of \(place) is \(walLevel); set it to logical and restart that server"
        }
        for (name, versions) in extensions.sorted(by: { $0.key < $1.key }) {
            guard let present = versions.first else { continue }
            guard let offered = target.extensions[name] else {
                let title = name == "postgis" ? "PostGIS" : name
                return "\(target.place) has no \(title), which Madang's databases use; install it there"
            }
            guard offered.contains(where: { !Self.isOlder($0, than: present) }) else {
                return "\(target.place) has an older \(name) than the present \(present); install that one there"
            }
        }
        let limits = [
            (freeSlots, "max_replication_slots", place), (freeSenders, "max_wal_senders", place),
            (target.freeSlots, "max_replication_slots", target.place),
            (target.freeWorkers, "max_logical_replication_workers", target.place),
        ]
        for (free, setting, place) in limits where free < needed {
            return
                "\(setting) of \(place) has room for \(max(free, 0)) more, and a move needs \(needed); raise it there"
        }
        if let table = schema.withoutIdentity.first {
            return "the table \(schema.name).\(table) has no primary key, by which a move identifies rows"
        }
        if let object = schema.notCopied.first {
            return "\(object); a move cannot copy that, so remove it from \(schema.name) first"
        }
        if let free = target.freeBytes, free < 2 * schema.bytes {
            let (free, needed) = (free >> 20, (2 * schema.bytes) >> 20)
            let size = "twice the size of \(schema.name) is \(needed) MB"
            return "the disk of \(target.place) has \(free) MB left, and \(size)"
        }
        return nil
    }

    /// Whether a dotted version is lower than another one: 3.3.2 than 3.10.0.
    static func isOlder(_ one: String, than other: String) -> Bool {
        func numbers(_ text: String) -> [Int] { text.split { !$0.isNumber }.compactMap { Int($0) } }
        return numbers(one).lexicographicallyPrecedes(numbers(other))
    }
}

/// What a move requires of a schema.
struct SchemaFacts: Sendable {
    var name: String
    /// With indexes.
    var bytes = 0
    /// Tables of which changed rows cannot be identified.
    var withoutIdentity: [String] = []
    /// What logical replication leaves out, or would do twice.
    var notCopied: [String] = []

    init(name: String) {
        self.name = name
    }

    init(_ name: String, in client: PostgresClient) async throws {
        self.name = name
        bytes = try await client.value(
            """
            SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = \(name) AND c.relkind IN ('r', 'm')
            """
        )
        withoutIdentity = try await client.all(
            """
            SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = \(name) AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND c.relreplident <> 'f'
                AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisprimary OR i.indisreplident))
            ORDER BY 1
            """
        ) { try $0.decode(String.self) }
        notCopied = try await client.all(
            """
            SELECT 'the trigger ' || t.tgname || ' of ' || t.tgrelid::regclass || ' fires on the copy, too'
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = \(name) AND NOT t.tgisinternal AND t.tgenabled IN ('A', 'R')
            UNION ALL
            SELECT c.oid::regclass || CASE c.relkind WHEN 'm' THEN ' is a materialized view' ELSE ' is a foreign table' END
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = \(name) AND c.relkind IN ('m', 'f')
            UNION ALL
            SELECT 'the role ' || r.rolname || ' has large objects' FROM pg_roles r
            WHERE r.rolname = \(name) AND EXISTS (SELECT FROM pg_largeobject_metadata WHERE lomowner = r.oid)
            """
        ) { try $0.decode(String.self) }
    }
}
