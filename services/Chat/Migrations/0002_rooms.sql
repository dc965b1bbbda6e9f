-- Where two people talk: one room for a pair in Anlaka, one for who asks about a companion post in With Suhyeon.
CREATE TABLE rooms (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT rooms_pkey PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT rooms_public_id_key UNIQUE
        CONSTRAINT rooms_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    app text NOT NULL,
    -- The companion post that they talk about; 0 in Anlaka.
    post_id bigint NOT NULL DEFAULT 0,
    -- Anlaka: the smaller number. With Suhyeon: who asks.
    first_id bigint NOT NULL CONSTRAINT rooms_first_id_fkey REFERENCES people,
    -- Anlaka: the greater number. With Suhyeon: whose post it is.
    second_id bigint NOT NULL CONSTRAINT rooms_second_id_fkey REFERENCES people,
    -- What the companion post said when the room came into being: a post's text never changes.
    post_title text,
    post_region text,
    post_price int,
    -- The number of the last thing that happened here. Whatever happens takes the next one, under a lock on this row, so
    -- there are no gaps, and the order of the numbers is the order of the commits.
    last_sequence bigint NOT NULL DEFAULT 0,
    -- The number of the last message; 0 while there is none.
    last_message bigint NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    -- When the last message was written. Later than that of the message before, by a millisecond at least.
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT rooms_pair_key UNIQUE (app, post_id, first_id, second_id),
    CONSTRAINT rooms_pair_check CHECK (first_id <> second_id AND (app <> 'anlaka' OR first_id < second_id))
) WITH (fillfactor = 70);
CREATE INDEX rooms_post_id_idx ON rooms (post_id) WHERE post_id <> 0;

-- How somebody stands to a room.
CREATE TABLE members (
    room_id bigint NOT NULL CONSTRAINT members_room_id_fkey REFERENCES rooms ON DELETE CASCADE,
    account_id bigint NOT NULL CONSTRAINT members_account_id_fkey REFERENCES people,
    -- What With Suhyeon calls this person's side of the room.
    copy_id text NOT NULL CONSTRAINT members_copy_id_key UNIQUE
        CONSTRAINT members_copy_id_check CHECK (copy_id ~ '^[0-9a-f]{24}$'),
    -- They have opened it, so it is in their list also while nobody has written.
    is_open boolean NOT NULL DEFAULT false,
    -- They have seen everything up to this number.
    read_through bigint NOT NULL DEFAULT 0,
    -- They have cleared everything up to this number away.
    cleared_through bigint NOT NULL DEFAULT 0,
    CONSTRAINT members_pkey PRIMARY KEY (room_id, account_id)
) WITH (fillfactor = 70);
CREATE INDEX members_account_id_idx ON members (account_id, room_id);
