-- What the deletion of old rows looks for.
CREATE INDEX invite_codes_expires_at_idx ON invite_codes (expires_at);
CREATE INDEX failed_lookups_at_idx ON failed_lookups (at);
CREATE INDEX completions_completed_at_idx ON completions (completed_at);
CREATE INDEX workers_parted_at_idx ON workers (parted_at) WHERE parted_at IS NOT NULL;
CREATE INDEX workplaces_ended_at_idx ON workplaces (least(deleted_at, abandoned_at))
    WHERE deleted_at IS NOT NULL OR abandoned_at IS NOT NULL;
-- For the foreign key: without it, the deletion of a workplace reads all shifts.
CREATE INDEX shifts_workplace_id_idx ON shifts (workplace_id);

-- Payslips are kept for as long as their months. LZ4 is faster than the default compression.
DO $$
BEGIN
    ALTER TABLE months ALTER COLUMN payslip SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL; -- The server was built without LZ4.
END $$;

-- What bounds each table.
COMMENT ON TABLE people IS 'One row per account; of a withdrawn one without personal data.';
COMMENT ON TABLE workplaces IS
    'Up to 20 rows per creator; deleted or abandoned ones after 3 years, once they have no workers, by Retention.';
COMMENT ON TABLE workers IS
    'One row per membership; of a withdrawn account deleted after 3 years, once no owner lists it, by Retention.';
COMMENT ON TABLE wages IS 'One row per change of a worker''s terms; deleted with the worker.';
COMMENT ON TABLE series IS 'One row per recurrence; deleted with the worker.';
COMMENT ON TABLE shifts IS 'One row per shift; deleted with the worker.';
COMMENT ON TABLE clockings IS 'One row per account at work; deleted at clock-out.';
COMMENT ON TABLE months IS 'One row per worker and month with a shift; deleted with the worker.';
COMMENT ON TABLE routines IS 'Up to 20 rows per account; deleted by the withdrawal.';
COMMENT ON TABLE routine_tasks IS 'Up to 50 rows per routine; deleted with it.';
COMMENT ON TABLE shift_routines IS 'Up to 10 rows per shift; deleted with it, or with its completions.';
COMMENT ON TABLE completions IS 'Deleted a year after their shift, by Retention; or with their task.';
COMMENT ON TABLE invite_codes IS 'One row per workplace with a code; deleted after expiry, by Retention.';
COMMENT ON TABLE failed_lookups IS 'Deleted after 10 minutes, by Retention.';
COMMENT ON TABLE alarm_marks IS 'One row per kind of reminder.';
COMMENT ON TABLE requests IS 'Deleted after a day, by IdempotencyKeys.';
