-- What waits for a phone, a row a phone: whoever takes the row has the phone to themselves, so that it gets things in their
-- order.
CREATE TABLE mailboxes (
    device_id bigint CONSTRAINT mailboxes_pkey PRIMARY KEY
        CONSTRAINT mailboxes_device_id_fkey REFERENCES devices ON DELETE CASCADE,
    app text NOT NULL,
    -- When to look into it; NULL while it is empty.
    due_at timestamptz,
    -- Not before this: somebody has it until then, or FCM wants to be left alone.
    held_until timestamptz,
    -- Who has it.
    lease uuid
) WITH (fillfactor = 50);
CREATE INDEX mailboxes_due_at_idx ON mailboxes (app, due_at) WHERE due_at IS NOT NULL;

-- What is to be pushed to a phone. A row goes when FCM has taken it.
CREATE TABLE pushes (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pushes_pkey PRIMARY KEY,
    device_id bigint NOT NULL CONSTRAINT pushes_device_id_fkey REFERENCES mailboxes ON DELETE CASCADE,
    -- The same each time that it is tried: what APNs calls it.
    message_id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind text NOT NULL,
    title text,
    subtitle text,
    body text NOT NULL,
    -- What the app reads beside the texts: a JSON object of texts.
    data text NOT NULL,
    -- What iOS shows together, such as a room.
    thread text,
    -- What iOS shows in one place: the later takes the place of the earlier.
    collapse_id text,
    -- Who caused it, where people can have them kept quiet.
    sender_id bigint,
    -- Several happenings that are told of in one push, until it is sent.
    grouping text,
    -- Goes up with every change of what it says.
    revision int NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    -- How often it was tried.
    attempts int NOT NULL DEFAULT 0,
    CONSTRAINT pushes_grouping_key UNIQUE (device_id, grouping)
);
CREATE INDEX pushes_device_id_idx ON pushes (device_id, due_at, id);
