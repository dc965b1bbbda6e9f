-- Facts that this service announces, written in the transaction that made them true.
CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL DEFAULT gen_random_uuid(),
    name text NOT NULL,
    -- Events with the same key reach a subscriber in order.
    key text NOT NULL,
    body jsonb NOT NULL,
    -- The trace that the event belongs to (traceparent).
    trace text,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Who has still to hear of it. A row goes when its subscriber has confirmed.
CREATE TABLE outbox_deliveries (
    subscriber text NOT NULL,
    event bigint NOT NULL REFERENCES outbox ON DELETE CASCADE,
    key text NOT NULL,
    -- When it is tried next. A relay that takes a delivery moves this on, so that nobody else takes it meanwhile.
    due_at timestamptz NOT NULL DEFAULT now(),
    refusals integer NOT NULL DEFAULT 0,
    -- Set when the subscriber refused too often. To try again: set parked_at to NULL and refusals to 0.
    parked_at timestamptz,
    last_error text,
    PRIMARY KEY (subscriber, event)
);
CREATE INDEX outbox_deliveries_due_idx ON outbox_deliveries (due_at) WHERE parked_at IS NULL;
CREATE INDEX outbox_deliveries_order_idx ON outbox_deliveries (subscriber, key, event) WHERE parked_at IS NULL;
CREATE INDEX outbox_deliveries_event_idx ON outbox_deliveries (event);
