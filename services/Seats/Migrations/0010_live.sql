-- What sockets are told, kept for a while: every copy of the service is woken by NOTIFY with the message, and one that
-- missed something reads on from here. Ids ascend within a topic in the order of commits, since whoever writes to a topic
-- holds the lock on its car or its journey.
CREATE TABLE live_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- car/2234/2429, owner/101/7, requester/101/9, path/12
    topic text NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When a socket got it first; kept for messages to one passenger.
    delivered_at timestamptz
);
CREATE INDEX live_messages_topic_idx ON live_messages (topic, id);
CREATE INDEX live_messages_created_at_idx ON live_messages (created_at);

-- Passengers who should be alerted by push unless a socket has told them by the time that the row is due.
CREATE TABLE alerts (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL,
    kind text NOT NULL,
    arguments text[] NOT NULL,
    message_id bigint,
    due_at timestamptz NOT NULL
);
CREATE INDEX alerts_due_at_idx ON alerts (due_at);

-- Sessions that were ended, for as long as their access tokens could still open a socket.
CREATE TABLE revoked_sessions (
    session text PRIMARY KEY,
    revoked_at timestamptz NOT NULL DEFAULT now()
);
