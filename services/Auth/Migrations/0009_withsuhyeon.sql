-- With Suhyeon: a phone number is one account.
CREATE UNIQUE INDEX accounts_withsuhyeon_phone_key ON accounts (phone) WHERE app = 'withsuhyeon' AND phone IS NOT NULL;

-- With Suhyeon's side of an account.
CREATE TABLE companions (
    account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    birth_year integer NOT NULL,
    is_male boolean NOT NULL,
    -- A region's key.
    region text NOT NULL
);

-- Codes that were sent to phones. Only the newest of a phone counts.
CREATE TABLE phone_codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    phone text NOT NULL,
    -- Keyed hash of phone and code.
    digest bytea NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now(),
    wrong_guesses integer NOT NULL DEFAULT 0,
    spent_at timestamptz
);
CREATE INDEX phone_codes_phone_idx ON phone_codes (phone, id);
CREATE INDEX phone_codes_sent_at_idx ON phone_codes (sent_at);

-- Phones whose owner has just proved that they have them, each good for one sign-up or sign-in.
CREATE TABLE phone_proofs (
    phone text PRIMARY KEY,
    proved_at timestamptz NOT NULL DEFAULT now(),
    -- Where it was proved.
    address text,
    -- Left by a sign-up, for the sign-in that follows it.
    after_sign_up boolean NOT NULL
);
CREATE INDEX phone_proofs_proved_at_idx ON phone_proofs (proved_at);

-- People whom a provider vouches for and who have not finished their sign-up.
CREATE TABLE pending_sign_ups (
    -- Random: who knows it may finish the sign-up.
    id bigint PRIMARY KEY,
    provider text NOT NULL,
    subject text NOT NULL,
    -- The provider's refresh token, sealed.
    refresh_token bytea,
    expires_at timestamptz NOT NULL,
    -- What it led to.
    account_id bigint REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX pending_sign_ups_expires_at_idx ON pending_sign_ups (expires_at);
CREATE INDEX pending_sign_ups_account_id_idx ON pending_sign_ups (account_id);

-- Phone numbers, registered or not, whose owners do not see what the account posts.
CREATE TABLE blocked_numbers (
    id bigint GENERATED ALWAYS AS IDENTITY,
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    phone text NOT NULL,
    PRIMARY KEY (account_id, phone)
);
CREATE INDEX blocked_numbers_account_id_idx ON blocked_numbers (account_id, id);
CREATE INDEX blocked_numbers_phone_idx ON blocked_numbers (phone);

-- What With Suhyeon's socket takes for a session. The ticket itself follows from the session and our secret.
CREATE TABLE tickets (
    session_id text PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    -- Keyed hash of the ticket.
    digest bytea NOT NULL CONSTRAINT tickets_digest_key UNIQUE
);
