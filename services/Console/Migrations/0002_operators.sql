-- Addresses that sign in once. Only hashes of tokens are stored.
CREATE TABLE invitations (
    token bytea PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX invitations_by_end ON invitations (expires_at);
COMMENT ON TABLE invitations IS 'Deleted when used, or after 10 minutes, by Retention.';

-- Operators that are signed in.
CREATE TABLE sessions (
    token bytea PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL,
    -- What forms carry, so that no other page can send them.
    form text NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_end ON sessions (expires_at);
COMMENT ON TABLE sessions IS 'Deleted after 12 hours, by Retention.';

-- What operators have done, and why.
CREATE TABLE acts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    name text NOT NULL,
    act text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    outcome text NOT NULL
);
CREATE INDEX acts_by_time ON acts (at);
COMMENT ON TABLE acts IS 'Deleted after 365 days, by Retention.';
