-- What bounds each table.
COMMENT ON TABLE people IS 'One row per account; of a withdrawn one without personal data.';
COMMENT ON TABLE devices IS
    'Deleted 270 days after their registration, a released token after 30 days, by Retention; or by the withdrawal.';
COMMENT ON TABLE ended_sessions IS 'Deleted after 30 days, by Retention.';
COMMENT ON TABLE mailboxes IS 'One row per device; deleted with it.';
COMMENT ON TABLE pushes IS 'Deleted when sent, or after 4 days, by Retention.';
COMMENT ON TABLE conversations IS
    'Deleted 90 days after their last change, with unread messages after 180 days, by Retention.';
COMMENT ON TABLE alarms IS 'Deleted after 180 days, by Retention; or by their owner.';
COMMENT ON TABLE announcements IS 'Deleted 180 days after sending, by Retention.';
COMMENT ON TABLE announcement_marks IS 'Deleted with their announcement, by Retention.';
COMMENT ON TABLE announcement_readers IS 'One row per account; deleted by its withdrawal.';
COMMENT ON TABLE muted_kinds IS 'One row per account and kind; deleted by its withdrawal.';
