/// The service's SQL statements for a message, as a script for pgbench: the statements of `services/Chat/Store` in the
/// order and the round trips of `MessageBatch.write`, and those of `shared/Events` for its event, one message per
/// transaction. The number is computed in the INSERT, because a script cannot use a result within a round trip.
enum ChatScript {
    static var text: String {
        """
        \\set room random(1, \(ChatDataset.rooms))
        \\set account -2 * :room
        \\set name random(1, 1000000000000)
        \\startpipeline
        BEGIN ISOLATION LEVEL READ COMMITTED;
        \(begun.map(line).joined(separator: "\n"))
        \\endpipeline
        \\startpipeline
        \(written.map(line).joined(separator: "\n"))
        COMMIT;
        \\endpipeline

        """
    }

    private static func line(_ statement: String) -> String {
        statement.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ") + ";"
    }

    private static let own = "(SELECT id FROM rooms WHERE public_id = lpad(to_hex(:room::bigint), 24, '0'))"

    private static let key = "lpad(to_hex(:room::bigint), 24, '0')"

    /// The body of the event. pgbench would take what follows a colon in a literal for a variable.
    private static let event = """
        json_build_object('app', 'anlaka', 'room', \(key), 'sequence', 7, 'sender', :account::bigint, 'recipient', 1 - :account::bigint,
            'text', '\(ChatLoad.content)', 'files', 0, 'isSeen', false, 'isRead', false, 'at', clock_timestamp())::text
        """

    private static let begun = [
        "SELECT r.id FROM rooms r WHERE r.public_id = lpad(to_hex(:room::bigint), 24, '0') AND r.app = 'anlaka'",
        """
        SELECT r.id, r.public_id, r.app, r.first_id, r.second_id, r.last_sequence, r.last_message, r.updated_at,
            r.app = 'anlaka' AND EXISTS (
                SELECT 1 FROM blocks b WHERE (b.account_id = r.first_id AND b.blocked_id = r.second_id)
                    OR (b.account_id = r.second_id AND b.blocked_id = r.first_id)),
            ARRAY(SELECT p.account_id FROM people p
                WHERE p.account_id IN (r.first_id, r.second_id) AND p.withdrawn_at IS NOT NULL)
        FROM rooms r WHERE r.id = ANY(ARRAY[\(own)]) ORDER BY r.id FOR NO KEY UPDATE OF r
        """,
        """
        SELECT m.room_id, m.sequence, m.sender_id, m.content, m.files, m.client_id, m.created_at, m.edited_at, m.deleted_at
        FROM unnest(ARRAY[\(own)], ARRAY[:account::bigint], ARRAY[:name::text]) AS d(room, sender, client)
            CROSS JOIN LATERAL (
                SELECT * FROM messages m WHERE m.room_id = d.room AND m.sender_id = d.sender
                    AND m.client_id = d.client AND m.client_id IS NOT NULL
                LIMIT 1
            ) m
        """,
        """
        SELECT p.id, p.account_id, p.room_id, p.is_reading FROM presences p JOIN copies c ON c.id = p.copy_id
            LEFT JOIN joined j ON j.account_id = p.account_id
        WHERE p.room_id = ANY(ARRAY[\(own)]) AND c.seen_at > now() - '6 seconds'::interval
            AND (NOT p.is_reading OR j.account_id IS NULL OR (j.socket_id = p.id AND j.room_id = p.room_id))
        """,
    ]

    private static let written = [
        """
        INSERT INTO messages (room_id, sequence, sender_id, content, files, client_id, created_at)
        SELECT id, last_sequence + 1, :account::bigint, '\(ChatLoad.content)', '{}', :name::text, clock_timestamp()
        FROM rooms WHERE id = \(own)
        """,
        """
        UPDATE rooms r SET last_sequence = last_sequence + 1, last_message = last_sequence + 1,
            updated_at = clock_timestamp() WHERE r.id = \(own)
        """,
        """
        SELECT pg_advisory_xact_lock(hashtextextended('outbox ' || current_schema() || key, 0))
        FROM unnest(ARRAY[\(key)]) AS key
        """,
        """
        WITH events AS (
            INSERT INTO outbox (name, key, body, trace)
            SELECT 'chat.message-sent', key, body::jsonb, nullif(trace, '')
            FROM unnest(ARRAY[\(key)], ARRAY[\(event)], ARRAY[''])
                WITH ORDINALITY AS e(key, body, trace, place) ORDER BY place
            RETURNING id, key
        )
        INSERT INTO outbox_deliveries (subscriber, event, key)
        SELECT subscriber, id, key FROM events, unnest(ARRAY['notifications']) AS subscriber
        """,
    ]
}
