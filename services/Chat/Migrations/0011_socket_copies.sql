-- The copy of the service that holds the socket. While it does, seen_at is infinity: an older copy takes the socket for an
-- open one. It becomes an instant when the socket closes, or when the copy's heartbeat ends.
ALTER TABLE joined ADD COLUMN copy_id uuid;
CREATE INDEX joined_copy_id_idx ON joined (copy_id) WHERE copy_id IS NOT NULL;
