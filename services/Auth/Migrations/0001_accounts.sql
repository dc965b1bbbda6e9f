-- A person in one app. Accounts of different apps have nothing to do with each other.
CREATE TABLE accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- What apps with 24-digit hexadecimal ids call it.
    public_id text NOT NULL CONSTRAINT accounts_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    app text NOT NULL,
    nickname text NOT NULL,
    image text,
    email text,
    phone text,
    introduction text,
    onboarded boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    signed_in_at timestamptz,
    CONSTRAINT accounts_public_id_key UNIQUE (public_id)
);

-- Addresses are stored in lower case; one address is one account in an app.
CREATE UNIQUE INDEX accounts_app_email_key ON accounts (app, email) WHERE email IS NOT NULL;

CREATE TABLE passwords (
    account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    -- Algorithm, parameters, salt and hash in one text.
    hash text NOT NULL
);

-- Who somebody is at Kakao, Apple or Google.
CREATE TABLE social_links (
    app text NOT NULL,
    provider text NOT NULL,
    subject text NOT NULL,
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT social_links_pkey PRIMARY KEY (app, provider, subject)
);
CREATE INDEX social_links_account_id_idx ON social_links (account_id);

-- What a SeatCatcher user says of themselves (USERTAG_…).
CREATE TABLE account_tags (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    tag text NOT NULL,
    PRIMARY KEY (account_id, tag)
);
