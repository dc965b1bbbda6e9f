import AppClients
import Contracts
import FoundationEssentials
import Postgres
import Values

/// What tables and providers have of people and their phones.
extension ProofTables {
    /// Listings with their exact places, and who may see them: those who have ever paid to reserve them.
    func listings() async throws -> [ListingPosition] {
        try await database.all(
            """
            SELECT l.public_id, l.creator_id, l.latitude, l.longitude, ARRAY(SELECT o.account_id FROM payments.orders o
                WHERE o.subject = l.public_id AND o.state IN ('paid', 'refunded'))
            FROM estate.listings l
            """
        ) { row in
            let (listing, creator, latitude, longitude, known) = try row.decode(
                as: (String, Int64, Double, Double, [Int64]).self
            )
            let exact = Coordinate(latitude: latitude, longitude: longitude)
            return ListingPosition(
                listing,
                of: AccountID(rawValue: creator),
                exact: exact,
                knownTo: Set(known.map { AccountID(rawValue: $0) })
            )
        }
    }

    /// The texts of people who have left, in all columns of all services that can have texts.
    func remains() async throws -> [Occurrence] {
        let columns = try await database.all(
            """
            SELECT c.table_schema::text, c.table_name::text, c.column_name::text FROM information_schema.columns c
                JOIN information_schema.tables t USING (table_schema, table_name)
            WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema', 'postgis')
                AND c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea')
            """
        ) { try $0.decode(String.self, String.self, String.self) }
        var found: [Occurrence] = []
        for (schema, table, column) in columns {
            found += try await database.all(
                """
                SELECT found[1], count(*) FROM (
                    SELECT regexp_matches(\(identifier: column)::text, \("(\(Leavers.pattern))"), 'g') AS found
                    FROM \(identifier: schema).\(identifier: table)) AS matches GROUP BY 1
                """
            ) { row in
                let (marker, rows) = try row.decode(String.self, Int.self)
                return Occurrence(marker, in: "\(schema).\(table).\(column)", rows: rows, at: now())
            }
        }
        return found
    }

    /// What the stand-in for phones has shown on a device, oldest first.
    func arrivals(at device: String, _ sandbox: SandboxClient, _ diary: Diary) async throws -> [PushArrival] {
        let messages = try await sandbox.get("push?limit=1000&token=\(device)").json()["messages"]?.elements ?? []
        return messages.reversed().compactMap { message in
            let time = message["at"]?.string.flatMap {
                try? Date($0, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            }
            guard let time, let id = message["apns_id"]?.string ?? message["id"]?.string else { return nil }
            let text = message["body"]?.string ?? ""
            let marker = text.firstMatch(of: /m[0-9]+-[0-9a-f]{6}/).map { String($0.output) }
            let room = message["data"]?["room_id"]?.string
            var arrival = PushArrival(id, to: device, at: diary.moment(of: time), marker: marker, thread: room)
            arrival.badge = message["apns"]?["payload"]?["aps"]?["badge"]?.integer
            return arrival
        }
    }
}
