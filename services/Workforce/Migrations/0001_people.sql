-- Whoever auth has told of. Who has left keeps a row without name and picture, so that nothing that arrives late makes them
-- anew, and what others are paid stays where it is.
CREATE TABLE people (
    account_id bigint CONSTRAINT people_pkey PRIMARY KEY,
    nickname text NOT NULL,
    image text,
    -- Chosen once, at registration; NULL until then.
    role text CONSTRAINT people_role_check CHECK (role IN ('ROLE_WORKER', 'ROLE_OWNER', 'ROLE_ADMIN')),
    withdrawn_at timestamptz
);
