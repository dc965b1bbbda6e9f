-- What was written, by the room's numbers.
CREATE TABLE messages (
    room_id bigint NOT NULL CONSTRAINT messages_room_id_fkey REFERENCES rooms ON DELETE CASCADE,
    sequence bigint NOT NULL,
    sender_id bigint NOT NULL,
    -- Empty when only files were sent, and when it was taken back.
    content text NOT NULL,
    -- The names of uploads of the sender.
    files text[] NOT NULL DEFAULT '{}',
    -- What the phone calls it, so that it is written once.
    client_id text,
    created_at timestamptz(3) NOT NULL,
    edited_at timestamptz(3),
    deleted_at timestamptz(3),
    CONSTRAINT messages_pkey PRIMARY KEY (room_id, sequence)
);
CREATE UNIQUE INDEX messages_client_id_key ON messages (room_id, sender_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX messages_created_at_idx ON messages (room_id, created_at);
CREATE INDEX messages_files_idx ON messages USING gin (files) WHERE files <> '{}';

-- What became of messages later: each change has a number of its own in the same sequence.
CREATE TABLE changes (
    room_id bigint NOT NULL CONSTRAINT changes_room_id_fkey REFERENCES rooms ON DELETE CASCADE,
    sequence bigint NOT NULL,
    -- The message's number.
    message bigint NOT NULL,
    kind text NOT NULL CONSTRAINT changes_kind_check CHECK (kind IN ('edited', 'deleted')),
    changed_at timestamptz(3) NOT NULL,
    CONSTRAINT changes_pkey PRIMARY KEY (room_id, sequence)
);
