-- How a shared workplace is joined: for ten minutes, by whoever has the code.
CREATE TABLE invite_codes (
    code text CONSTRAINT invite_codes_pkey PRIMARY KEY,
    workplace_id bigint NOT NULL CONSTRAINT invite_codes_workplace_id_key UNIQUE REFERENCES workplaces,
    expires_at timestamptz NOT NULL
);

-- Codes that were not there, by who asked: so many in ten minutes, and no more are looked up.
CREATE TABLE failed_lookups (
    account_id bigint NOT NULL REFERENCES people,
    at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX failed_lookups_account_id_at_idx ON failed_lookups (account_id, at);
