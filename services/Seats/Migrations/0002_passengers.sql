-- SeatCatcher's users as this service shows them: a copy kept up to date by auth's events, and their credit.
CREATE TABLE passengers (
    account_id bigint PRIMARY KEY,
    nickname text NOT NULL,
    image text NOT NULL,
    tags text[] NOT NULL DEFAULT '{}',
    credit bigint NOT NULL DEFAULT 0 CONSTRAINT passengers_credit_check CHECK (credit >= 0)
);
