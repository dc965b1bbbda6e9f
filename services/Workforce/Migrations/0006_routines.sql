-- Somebody's own check lists for a shift.
CREATE TABLE routines (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT routines_pkey PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES people,
    name text NOT NULL CONSTRAINT routines_name_check CHECK (char_length(name) BETWEEN 1 AND 20),
    -- Minutes after midnight, in Korea.
    alarm_minute smallint CONSTRAINT routines_alarm_minute_check CHECK (alarm_minute BETWEEN 0 AND 1439),
    CONSTRAINT routines_account_id_name_key UNIQUE (account_id, name)
);

CREATE TABLE routine_tasks (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT routine_tasks_pkey PRIMARY KEY,
    routine_id bigint NOT NULL REFERENCES routines ON DELETE CASCADE,
    content text NOT NULL CONSTRAINT routine_tasks_content_check CHECK (char_length(content) BETWEEN 1 AND 30),
    order_index bigint NOT NULL,
    CONSTRAINT routine_tasks_routine_id_order_index_key UNIQUE (routine_id, order_index)
);

-- What is to be done on which shift.
CREATE TABLE shift_routines (
    shift_id bigint NOT NULL REFERENCES shifts ON DELETE CASCADE,
    routine_id bigint NOT NULL REFERENCES routines ON DELETE CASCADE,
    CONSTRAINT shift_routines_pkey PRIMARY KEY (shift_id, routine_id)
);
CREATE INDEX shift_routines_routine_id_idx ON shift_routines (routine_id);

-- What has been done.
CREATE TABLE completions (
    shift_id bigint NOT NULL REFERENCES shifts ON DELETE CASCADE,
    task_id bigint NOT NULL REFERENCES routine_tasks ON DELETE CASCADE,
    completed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT completions_pkey PRIMARY KEY (shift_id, task_id)
);
CREATE INDEX completions_task_id_idx ON completions (task_id);
