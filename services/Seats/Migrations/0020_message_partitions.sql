-- Messages are partitioned by hour (ServiceDatabase/TimePartitions). Their ids come from one sequence, which keeps them
-- unique; a constraint could not, without the partition key.
ALTER TABLE live_messages RENAME TO live_messages_earlier;
ALTER TABLE live_messages_earlier RENAME CONSTRAINT live_messages_pkey TO live_messages_earlier_pkey;
ALTER INDEX live_messages_topic_idx RENAME TO live_messages_earlier_topic_idx;
ALTER INDEX live_messages_created_at_idx RENAME TO live_messages_earlier_created_at_idx;
CREATE SEQUENCE live_message_ids;
SELECT setval('live_message_ids', last_value, is_called) FROM live_messages_id_seq;
ALTER TABLE live_messages_earlier ALTER COLUMN id DROP IDENTITY;

CREATE TABLE live_messages (
    id bigint NOT NULL DEFAULT nextval('live_message_ids'),
    topic text NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When a socket got it first; kept for messages to one passenger.
    delivered_at timestamptz
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE live_message_ids OWNED BY live_messages.id;
CREATE INDEX live_messages_id_idx ON live_messages (id);
CREATE INDEX live_messages_topic_idx ON live_messages (topic, id);
CREATE INDEX live_messages_created_at_idx ON live_messages (created_at);
CREATE TABLE live_messages_default PARTITION OF live_messages DEFAULT;

-- Earlier messages become the partition of this hour. The table is locked, so that none is later than now.
DO $$
DECLARE
    first timestamp := date_trunc('hour', clock_timestamp() AT TIME ZONE 'UTC');
    hour timestamp;
    name text;
BEGIN
    FOR hour IN SELECT generate_series(first, first + interval '2 hours', interval '1 hour') LOOP
        name := 'live_messages_' || to_char(hour, 'YYYYMMDDHH24');
        IF hour = first THEN
            EXECUTE format('ALTER TABLE live_messages_earlier RENAME TO %I', name);
            EXECUTE format(
                'ALTER TABLE live_messages ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
                name, (hour + interval '1 hour') AT TIME ZONE 'UTC'
            );
        ELSE
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF live_messages FOR VALUES FROM (%L) TO (%L)',
                name, hour AT TIME ZONE 'UTC', (hour + interval '1 hour') AT TIME ZONE 'UTC'
            );
        END IF;
    END LOOP;
END $$;
