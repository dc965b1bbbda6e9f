-- The cars of trains, each made when somebody first asks for it. A train's number means the same train on every day, so a
-- car and its seats keep their ids.
CREATE TABLE cars (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    train_code text NOT NULL,
    car_code text NOT NULL,
    CONSTRAINT cars_train_code_car_code_key UNIQUE (train_code, car_code)
);

CREATE TABLE seats (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    car_id bigint NOT NULL REFERENCES cars,
    -- PRIORITY_A, NORMAL_B_14, …
    section text NOT NULL,
    -- 0 to the size of the section - 1.
    location integer NOT NULL,
    type text NOT NULL CONSTRAINT seats_type_check CHECK (type IN ('NORMAL', 'PRIORITY', 'PREGNANT')),
    CONSTRAINT seats_place_key UNIQUE (car_id, section, location)
);

-- The car that a passenger looked at last: the only one of its train whose changes that passenger's sockets are told.
CREATE TABLE watched_cars (
    account_id bigint PRIMARY KEY,
    train_code text NOT NULL,
    car_code text NOT NULL
);
