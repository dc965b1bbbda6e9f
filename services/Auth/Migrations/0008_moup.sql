-- Identity tokens that have signed somebody in: each is good once in an app. Kept until the token itself ends.
CREATE TABLE spent_tokens (
    app text NOT NULL,
    -- SHA-256 of what is signed.
    digest bytea NOT NULL,
    -- From where it was spent; from there it may come again for a moment, since answers get lost.
    address text,
    user_agent text,
    spent_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (app, digest)
);
CREATE INDEX spent_tokens_expires_at_idx ON spent_tokens (expires_at);

-- MOUP's side of an account. Registration gives a nickname and a role; before that the nickname is empty. Nobody becomes
-- an admin but by a change of this table.
CREATE TABLE moup_members (
    account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    -- What the provider calls the person.
    username text,
    role text CONSTRAINT moup_members_role_check CHECK (role IN ('ROLE_WORKER', 'ROLE_OWNER', 'ROLE_ADMIN'))
);
