-- Phones: one row a push token. A token belongs to one account, the one that signed in with it last.
CREATE TABLE devices (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT devices_pkey PRIMARY KEY,
    app text NOT NULL,
    -- Whose phone it is; NULL once they have let go of it. The row stays a while, so that news of an earlier sign-in that
    -- arrive late do not bring the phone back to somebody.
    account_id bigint,
    -- The session in which the token was given; what ends the session takes the phone away.
    session_id text CONSTRAINT devices_session_id_key UNIQUE,
    token text NOT NULL,
    -- SHA-256 of the token, which may be longer than an index takes.
    digest bytea NOT NULL CONSTRAINT devices_digest_key UNIQUE,
    -- When the phone gave the token.
    since timestamptz NOT NULL,
    CONSTRAINT devices_owner_check CHECK ((account_id IS NULL) = (session_id IS NULL))
);
CREATE INDEX devices_account_id_idx ON devices (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX devices_app_idx ON devices (app, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX devices_since_idx ON devices (since) WHERE account_id IS NULL;

-- Sessions that have ended: no phone comes back by them.
CREATE TABLE ended_sessions (
    session_id text CONSTRAINT ended_sessions_pkey PRIMARY KEY,
    ended_at timestamptz NOT NULL
);
CREATE INDEX ended_sessions_ended_at_idx ON ended_sessions (ended_at);
