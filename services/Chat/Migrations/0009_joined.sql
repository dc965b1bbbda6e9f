-- Where people of With Suhyeon are: one row a person, whichever copy of the service holds their sockets.
CREATE TABLE joined (
    account_id bigint CONSTRAINT joined_pkey PRIMARY KEY CONSTRAINT joined_account_id_fkey REFERENCES people,
    -- The socket that receives, the newest of theirs. NULL when the last one has gone.
    socket_id uuid,
    -- The room that they have joined; NULL for none.
    room_id bigint CONSTRAINT joined_room_id_fkey REFERENCES rooms ON DELETE SET NULL,
    -- Their phone has everything of the room up to this number.
    shown_through bigint NOT NULL DEFAULT 0,
    -- When the socket was last known to be open. Some time after it the room counts no more.
    seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX joined_room_id_idx ON joined (room_id) WHERE room_id IS NOT NULL;
