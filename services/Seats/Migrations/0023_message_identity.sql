-- Without a primary key, changed rows are identified by all of their columns when the schema moves to another server.
-- TimePartitions gives new partitions the identity of their table.
ALTER TABLE live_messages REPLICA IDENTITY FULL;
DO $$
DECLARE
    partition regclass;
BEGIN
    FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'live_messages'::regclass LOOP
        EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', partition);
    END LOOP;
END $$;
