-- What a family of refresh tokens has come to, beyond its generation.
ALTER TABLE sessions
    -- The newest generation whose access token has called an API.
    ADD COLUMN used_generation integer NOT NULL DEFAULT 0,
    -- From where the newest generation was obtained, each as an address and a User-Agent.
    ADD COLUMN holders text[] NOT NULL DEFAULT '{}',
    -- What its owner calls the device.
    ADD COLUMN name text,
    ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now(),
    -- The place of its end in the order in which gateways hear of ends; given when it is first read.
    ADD COLUMN ended_number bigint;

ALTER TABLE sessions DROP CONSTRAINT sessions_end_reason_check;
ALTER TABLE sessions ADD CONSTRAINT sessions_end_reason_check
    CHECK (end_reason IN ('signed_out', 'revoked', 'reused', 'leaving', 'withdrawn'));

CREATE SEQUENCE session_ends;
CREATE UNIQUE INDEX sessions_ended_number_key ON sessions (ended_number);
CREATE INDEX sessions_ended_unnumbered_idx ON sessions (id) WHERE ended_at IS NOT NULL AND ended_number IS NULL;

-- What was done to accounts and sessions, written by the transaction that did it.
CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    account_id bigint NOT NULL REFERENCES accounts,
    session_id text,
    action text NOT NULL,
    address text,
    user_agent text
);
CREATE INDEX audit_log_account_id_idx ON audit_log (account_id, id);

-- The refresh token that the provider gave, sealed: what a link is revoked with when its owner leaves.
ALTER TABLE social_links ADD COLUMN refresh_token bytea;
