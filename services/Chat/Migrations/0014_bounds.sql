-- What bounds each table.
COMMENT ON TABLE people IS 'One row per account; of a withdrawn one without personal data.';
COMMENT ON TABLE rooms IS
    'Deleted 90 days after creation if nothing was written, or when both members have withdrawn, by RoomRetention.';
COMMENT ON TABLE members IS 'Two rows per room; deleted with it.';
COMMENT ON TABLE messages IS 'Deleted with their room.';
COMMENT ON TABLE changes IS 'Deleted with their room.';
COMMENT ON TABLE blocks IS 'One row per pair of accounts; deleted by unblocking or by a withdrawal.';
COMMENT ON TABLE joined IS 'One row per account; deleted by its withdrawal.';
COMMENT ON TABLE copies IS 'One row per process; deleted seconds after its last heartbeat, by Presences.';
COMMENT ON TABLE presences IS 'One row per open socket; deleted with it or with its process.';
COMMENT ON TABLE uploads IS 'Deleted a day after upload unless a message refers to them, by Uploads.';
