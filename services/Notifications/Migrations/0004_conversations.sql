-- How somebody stands to a room of chat: what they have not read, and what they were told of it lately.
CREATE TABLE conversations (
    account_id bigint NOT NULL,
    -- 24 hexadecimal digits: what the app calls the room.
    room text NOT NULL,
    unread int NOT NULL,
    -- They have read everything up to this number of the room's.
    read_through bigint NOT NULL DEFAULT 0,
    -- The number of the first message of those that are told of together, and how many they are.
    first_sequence bigint NOT NULL,
    count int NOT NULL,
    -- What comes before this is told of together with what came before it.
    window_ends timestamptz NOT NULL,
    -- When what has come since the last push is told of; NULL when nothing has.
    told_at timestamptz,
    CONSTRAINT conversations_pkey PRIMARY KEY (account_id, room)
) WITH (fillfactor = 70);
CREATE INDEX conversations_unread_idx ON conversations (account_id) INCLUDE (unread) WHERE unread > 0;
