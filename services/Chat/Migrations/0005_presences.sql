-- Which sockets look into which rooms, now. After a crash of the server nobody does, until the copies of the service, which
-- hold the sockets, say so anew.
CREATE UNLOGGED TABLE copies (
    id uuid CONSTRAINT copies_pkey PRIMARY KEY,
    seen_at timestamptz NOT NULL DEFAULT now()
);

CREATE UNLOGGED TABLE presences (
    -- The socket.
    id uuid CONSTRAINT presences_pkey PRIMARY KEY,
    copy_id uuid NOT NULL CONSTRAINT presences_copy_id_fkey REFERENCES copies ON DELETE CASCADE,
    account_id bigint NOT NULL,
    -- NULL for one that looks into none.
    room_id bigint,
    -- What comes is read at once: the app has no other way to say so than being there.
    is_reading boolean NOT NULL,
    since timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX presences_copy_id_idx ON presences (copy_id);
CREATE INDEX presences_account_id_idx ON presences (account_id);
CREATE INDEX presences_room_id_idx ON presences (room_id, account_id) WHERE room_id IS NOT NULL;
