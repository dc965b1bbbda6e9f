-- Requests with an Idempotency-Key, and their responses.
CREATE TABLE requests (
    account_id bigint NOT NULL,
    key text NOT NULL,
    -- SHA-256 of method, path and body.
    fingerprint bytea NOT NULL,
    -- While the request is being handled: until when that may take.
    busy_until timestamptz(3),
    status integer,
    content_type text,
    location text,
    body bytea,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT requests_pkey PRIMARY KEY (account_id, key),
    CONSTRAINT requests_answer_check CHECK ((busy_until IS NULL) = (status IS NOT NULL))
);
CREATE INDEX requests_created_at_idx ON requests (created_at);
