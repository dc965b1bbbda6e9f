import Postgres

extension PushStore {
    /// Takes back what waits under a grouping for the phone of a session.
    func delete(grouping: String, session: String) -> Statement<Int> {
        .execute(
            """
            DELETE FROM pushes p USING devices d
            WHERE d.session_id = \(session) AND p.device_id = d.id AND p.grouping = \(grouping)
            """
        )
    }
}
