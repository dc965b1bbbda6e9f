-- What a month of somebody at a workplace comes to, for every month with a shift; written in the transaction that changes a
-- shift of it or the terms.
CREATE TABLE months (
    worker_id bigint NOT NULL REFERENCES workers ON DELETE CASCADE,
    -- Its first day.
    month date NOT NULL CONSTRAINT months_month_check CHECK (extract(day FROM month) = 1),
    net_minutes bigint NOT NULL,
    night_minutes bigint NOT NULL,
    rest_minutes bigint NOT NULL,
    base_pay bigint NOT NULL,
    night_allowance bigint NOT NULL,
    weekly_allowance bigint NOT NULL,
    overtime_premium bigint NOT NULL,
    holiday_premium bigint NOT NULL,
    fixed_pay bigint NOT NULL,
    gross_pay bigint NOT NULL CONSTRAINT months_gross_pay_check
        CHECK (gross_pay = base_pay + night_allowance + weekly_allowance + overtime_premium + holiday_premium + fixed_pay),
    pension bigint NOT NULL,
    health bigint NOT NULL,
    long_term_care bigint NOT NULL,
    employment bigint NOT NULL,
    income_tax bigint NOT NULL,
    local_income_tax bigint NOT NULL,
    net_pay bigint NOT NULL CONSTRAINT months_net_pay_check CHECK (
        net_pay = gross_pay - pension - health - long_term_care - employment - income_tax - local_income_tax
    ),
    -- What it costs the employer.
    labour_cost bigint NOT NULL CONSTRAINT months_labour_cost_check CHECK (labour_cost >= gross_pay),
    -- The payslip as it was written, in JSON: answered as it stands, whatever becomes of rates, wages and words.
    payslip text NOT NULL,
    -- Tells whether the shifts and the wage that it was reckoned from are still the same; and the book of rates.
    basis bigint NOT NULL,
    revision text NOT NULL,
    CONSTRAINT months_pkey PRIMARY KEY (worker_id, month)
);
CREATE INDEX months_month_idx ON months (month);
