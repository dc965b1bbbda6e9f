-- Ids of events begin with their time (UUID version 7, RFC 9562), so that subscribers can partition them by it.
CREATE FUNCTION event_uuid() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(
        set_bit(set_bit(
            overlay(
                uuid_send(gen_random_uuid())
                PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                FROM 1 FOR 6
            ), 52, 1), 53, 1),
        'hex')::uuid
$$;
ALTER TABLE outbox ALTER COLUMN event_id SET DEFAULT event_uuid();

-- The inbox is partitioned by day (ServiceDatabase/TimePartitions). The partition key is the id itself, so that an id is
-- unique across partitions, and every delivery of an event goes to the same one. Random ids of earlier versions, and ids of
-- a day without a partition, are in the default partition.
ALTER TABLE inbox RENAME TO inbox_default;
ALTER INDEX inbox_pkey RENAME TO inbox_default_pkey;
ALTER INDEX inbox_received_at_idx RENAME TO inbox_default_received_at_idx;
CREATE TABLE inbox (
    event_id uuid CONSTRAINT inbox_pkey PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now()
) PARTITION BY RANGE (event_id);
CREATE INDEX inbox_received_at_idx ON inbox (received_at);
ALTER TABLE inbox ATTACH PARTITION inbox_default DEFAULT;
DO $$
DECLARE
    today timestamp := date_trunc('day', now() AT TIME ZONE 'UTC');
    day timestamp;
    bounds uuid[];
BEGIN
    FOR day IN SELECT generate_series(today, today + interval '2 days', interval '1 day') LOOP
        bounds := ARRAY(
            SELECT rpad(lpad(to_hex((extract(epoch FROM bound) * 1000)::bigint), 12, '0'), 32, '0')::uuid
            FROM unnest(ARRAY[day, day + interval '1 day']) AS bound
        );
        CONTINUE WHEN EXISTS (SELECT FROM inbox_default WHERE event_id >= bounds[1] AND event_id < bounds[2]);
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF inbox FOR VALUES FROM (%L) TO (%L)',
            'inbox_' || to_char(day, 'YYYYMMDD'), bounds[1], bounds[2]
        );
    END LOOP;
END $$;

-- A process of an earlier version deletes old ids by ctid, which rows of several partitions have in common. This trigger
-- keeps the young ones among them.
CREATE FUNCTION keep_inbox_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER inbox_young_rows BEFORE DELETE ON inbox FOR EACH ROW
    WHEN (OLD.received_at > now() - interval '8 days') EXECUTE FUNCTION keep_inbox_row();

COMMENT ON TABLE inbox IS 'Dropped by day, 8 days after the last receipt of its ids, by Inbox.';
COMMENT ON TABLE outbox IS 'Deleted 7 days after creation, if delivered to all subscribers, by OutboxCleanup.';
COMMENT ON TABLE outbox_deliveries IS
    'Deleted when the subscriber has confirmed, by DeliveryStore; a parked one when an operator retries or drops it.';
COMMENT ON TABLE schema_migrations IS 'One row per migration.';
