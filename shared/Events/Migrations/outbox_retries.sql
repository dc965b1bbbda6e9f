-- When the subscriber first answered that the event is malformed; it is parked a day later.
ALTER TABLE outbox_deliveries ADD COLUMN refused_at timestamptz;

-- Waiting deliveries by the time of their next attempt: those not tried yet, and those that failed before.
CREATE INDEX outbox_deliveries_fresh_idx ON outbox_deliveries (subscriber, due_at, event)
    WHERE parked_at IS NULL AND last_error IS NULL;
CREATE INDEX outbox_deliveries_tried_idx ON outbox_deliveries (subscriber, due_at, event)
    WHERE parked_at IS NULL AND last_error IS NOT NULL;
DROP INDEX outbox_deliveries_due_idx;

-- Parked deliveries, which are few.
CREATE INDEX outbox_deliveries_parked_idx ON outbox_deliveries (subscriber, event) WHERE parked_at IS NOT NULL;
