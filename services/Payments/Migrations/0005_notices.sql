-- What PortOne's webhook has said, to be looked into. Nothing in it is believed.
CREATE TABLE notices (
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    status text NOT NULL,
    -- Empty for what is no cancellation.
    cancellation_id text NOT NULL DEFAULT '',
    received_at timestamptz(3) NOT NULL,
    times integer NOT NULL DEFAULT 1,
    -- When PortOne is to be asked about it next; NULL when that is done.
    due_at timestamptz(3),
    attempts integer NOT NULL DEFAULT 0,
    CONSTRAINT notices_pkey PRIMARY KEY (imp_uid, status, cancellation_id)
);
CREATE INDEX notices_due_at_idx ON notices (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notices_received_at_idx ON notices (received_at) WHERE due_at IS NULL;
