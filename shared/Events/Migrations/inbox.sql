-- Events of other services that have taken effect here.
CREATE TABLE inbox (
    event_id uuid PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX inbox_received_at_idx ON inbox (received_at);
