import Postgres

extension PushStore {
    /// Deletes pending pushes of a grouping for the device of a session.
    func delete(grouping: String, session: String) -> Statement<Int> {
        .execute(
            """
            DELETE FROM pushes p USING devices d
            WHERE d.session_id = \(session) AND p.device_id = d.id AND p.grouping = \(grouping)
            """
        )
    }
}
