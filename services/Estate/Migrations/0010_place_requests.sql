-- Requests to Kakao's search for places by day in Seoul: an account's, and all of them under account 0.
CREATE TABLE place_requests (
    day date NOT NULL,
    account_id bigint NOT NULL,
    count integer NOT NULL,
    CONSTRAINT place_requests_pkey PRIMARY KEY (day, account_id)
);
