CREATE TABLE workplaces (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT workplaces_pkey PRIMARY KEY,
    creator_id bigint NOT NULL REFERENCES people,
    name text NOT NULL CONSTRAINT workplaces_name_check CHECK (char_length(name) BETWEEN 1 AND 50),
    category text NOT NULL CONSTRAINT workplaces_category_check CHECK (char_length(category) BETWEEN 1 AND 20),
    address text CONSTRAINT workplaces_address_check CHECK (char_length(address) <= 100),
    latitude double precision,
    longitude double precision,
    -- Whether others can join.
    is_shared boolean NOT NULL,
    -- Whether it has five employees or more (Labor Standards Act 11).
    five_or_more boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Its creator has left the app: what is there can still be read, but no longer changed.
    abandoned_at timestamptz,
    -- Nobody sees it any more; what people were paid there stays theirs to read.
    deleted_at timestamptz
);
CREATE UNIQUE INDEX workplaces_creator_id_name_key ON workplaces (creator_id, name) WHERE deleted_at IS NULL;
CREATE INDEX workplaces_creator_id_idx ON workplaces (creator_id);

CREATE TABLE workers (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT workers_pkey PRIMARY KEY,
    workplace_id bigint NOT NULL REFERENCES workplaces,
    account_id bigint NOT NULL REFERENCES people,
    worker_color text CONSTRAINT workers_worker_color_check CHECK (char_length(worker_color) BETWEEN 1 AND 10),
    owner_color text CONSTRAINT workers_owner_color_check CHECK (char_length(owner_color) BETWEEN 1 AND 10),
    -- False while the owner has not decided.
    is_accepted boolean NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now(),
    -- Has left or was removed; what was worked until then stays on record.
    parted_at timestamptz,
    -- Whether the owner's list has them: whoever is there, and who left the app while they were.
    is_listed boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX workers_workplace_id_account_id_key ON workers (workplace_id, account_id) WHERE parted_at IS NULL;
CREATE INDEX workers_account_id_idx ON workers (account_id);
CREATE INDEX workers_workplace_id_idx ON workers (workplace_id);

-- How somebody is paid from a month on, until the next row. A past month keeps its terms for ever.
CREATE TABLE wages (
    worker_id bigint NOT NULL REFERENCES workers ON DELETE CASCADE,
    -- The first day of that month.
    since date NOT NULL CONSTRAINT wages_since_check CHECK (extract(day FROM since) = 1),
    salary_type text NOT NULL,
    salary_calculation text NOT NULL,
    hourly_rate bigint CONSTRAINT wages_hourly_rate_check CHECK (hourly_rate > 0),
    fixed_rate bigint CONSTRAINT wages_fixed_rate_check CHECK (fixed_rate > 0),
    -- 1 to 31.
    salary_date smallint CONSTRAINT wages_salary_date_check CHECK (salary_date BETWEEN 1 AND 31),
    -- 0 is Monday.
    salary_day smallint CONSTRAINT wages_salary_day_check CHECK (salary_day BETWEEN 0 AND 6),
    has_national_pension boolean NOT NULL,
    has_health_insurance boolean NOT NULL,
    has_employment_insurance boolean NOT NULL,
    has_industrial_accident boolean NOT NULL,
    has_income_tax boolean NOT NULL,
    has_holiday_allowance boolean NOT NULL,
    has_night_allowance boolean NOT NULL,
    income_tax_mode text NOT NULL,
    dependents smallint NOT NULL CONSTRAINT wages_dependents_check CHECK (dependents BETWEEN 1 AND 11),
    employed_three_months boolean NOT NULL,
    -- Of the workplace, as it was in these months.
    five_or_more boolean NOT NULL,
    CONSTRAINT wages_pkey PRIMARY KEY (worker_id, since)
);
