-- Sessions that were ended, for as long as their sockets may be on the way from one copy of the service to another.
CREATE TABLE revoked_sessions (
    session text CONSTRAINT revoked_sessions_pkey PRIMARY KEY,
    revoked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX revoked_sessions_revoked_at_idx ON revoked_sessions (revoked_at);
COMMENT ON TABLE revoked_sessions IS 'Deleted after an hour, with the next revocation.';
