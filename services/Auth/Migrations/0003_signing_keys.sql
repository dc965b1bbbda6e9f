-- The keys that sign tokens. A key is published when it is made, signs from active_at until the next one is active, and
-- stays published until no token that it signed can be alive.
CREATE TABLE signing_keys (
    id text PRIMARY KEY,
    -- PKCS #8 DER, sealed with AES-GCM.
    private_key bytea NOT NULL,
    active_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX signing_keys_active_at_idx ON signing_keys (active_at);
