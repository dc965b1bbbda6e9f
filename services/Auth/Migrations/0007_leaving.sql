-- How people leave: some apps let them change their mind for a few days; then the account becomes anonymous, and whoever
-- holds something of theirs, here or at a provider, lets go of it.
ALTER TABLE accounts ADD COLUMN leaving_at timestamptz;

-- One row per account that leaves or has left: the proof of it, once finished_at is set.
CREATE TABLE withdrawals (
    account_id bigint PRIMARY KEY REFERENCES accounts,
    app text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    -- Until then the owner may come back by signing in.
    due_at timestamptz NOT NULL,
    -- When the account became anonymous.
    started_at timestamptz,
    -- When nobody held anything of theirs any more.
    finished_at timestamptz
);
CREATE INDEX withdrawals_due_at_idx ON withdrawals (due_at) WHERE started_at IS NULL;

-- Who has to let go: providers of social links and our own services.
CREATE TABLE withdrawal_steps (
    account_id bigint NOT NULL REFERENCES withdrawals ON DELETE CASCADE,
    -- A provider or a service.
    holder text NOT NULL,
    -- Who the person is there; empty for services, and once it is done.
    subject text NOT NULL DEFAULT '',
    -- The provider's refresh token, sealed; gone once it is done.
    token bytea,
    attempts integer NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL DEFAULT now(),
    done_at timestamptz,
    PRIMARY KEY (account_id, holder),
    CONSTRAINT withdrawal_steps_done_check CHECK (done_at IS NULL OR token IS NULL AND subject = '')
);
CREATE INDEX withdrawal_steps_next_at_idx ON withdrawal_steps (next_at) WHERE done_at IS NULL;

-- One link per provider: an account belongs to one person.
CREATE UNIQUE INDEX social_links_account_id_provider_key ON social_links (account_id, provider);
DROP INDEX social_links_account_id_idx;

CREATE INDEX social_links_subject_idx ON social_links (provider, subject);

-- What providers have told us, so that nothing takes effect twice.
CREATE TABLE provider_notices (
    id text PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX provider_notices_received_at_idx ON provider_notices (received_at);
