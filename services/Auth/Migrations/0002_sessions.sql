-- One sign-in on one device: a family of refresh tokens, of which only the newest generation is good.
CREATE TABLE sessions (
    id text PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    app text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The end of the family, whatever is refreshed in between.
    expires_at timestamptz NOT NULL,
    generation integer NOT NULL DEFAULT 0,
    rotated_at timestamptz,
    -- The tokens of the current generation, sealed under the refresh token that they replaced.
    successor bytea,
    ended_at timestamptz,
    end_reason text CONSTRAINT sessions_end_reason_check CHECK (end_reason IN ('signed_out', 'reused')),
    device_token text,
    address text,
    user_agent text,
    CONSTRAINT sessions_end_check CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
CREATE INDEX sessions_account_id_idx ON sessions (account_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
