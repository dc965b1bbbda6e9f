-- The audit log is partitioned by month (ServiceDatabase/TimePartitions). It has no foreign key, since to drop a partition
-- would lock the accounts, and no account is ever deleted. Its ids come from one sequence, which keeps them unique.
ALTER TABLE audit_log RENAME TO audit_log_earlier;
ALTER INDEX audit_log_account_id_idx RENAME TO audit_log_earlier_account_id_idx;
CREATE SEQUENCE audit_log_ids;
SELECT setval('audit_log_ids', last_value, is_called) FROM audit_log_id_seq;
ALTER TABLE audit_log_earlier
    ALTER COLUMN id DROP IDENTITY,
    DROP CONSTRAINT audit_log_pkey,
    DROP CONSTRAINT audit_log_account_id_fkey;

CREATE TABLE audit_log (
    id bigint NOT NULL DEFAULT nextval('audit_log_ids'),
    at timestamptz NOT NULL DEFAULT now(),
    account_id bigint NOT NULL,
    session_id text,
    action text NOT NULL,
    address text,
    user_agent text
) PARTITION BY RANGE (at);
ALTER SEQUENCE audit_log_ids OWNED BY audit_log.id;
CREATE INDEX audit_log_account_id_idx ON audit_log (account_id, id);
CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;

-- Earlier entries become the partition of this month.
DO $$
DECLARE
    first timestamp := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC');
    month timestamp;
    name text;
BEGIN
    FOR month IN SELECT generate_series(first, first + interval '2 months', interval '1 month') LOOP
        name := 'audit_log_' || to_char(month, 'YYYYMM');
        IF month = first THEN
            EXECUTE format('ALTER TABLE audit_log_earlier RENAME TO %I', name);
            EXECUTE format(
                'ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
                name, (month + interval '1 month') AT TIME ZONE 'UTC'
            );
        ELSE
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%L) TO (%L)',
                name, month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC'
            );
        END IF;
    END LOOP;
END $$;

-- Confirmed steps of withdrawals, for their deletion.
CREATE INDEX withdrawal_steps_done_at_idx ON withdrawal_steps (done_at) WHERE done_at IS NOT NULL;
