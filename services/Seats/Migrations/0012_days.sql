-- What has outlived its day of service, for the timers that end it.
CREATE INDEX occupancies_service_date_idx ON occupancies (service_date);
CREATE INDEX journeys_service_date_idx ON journeys (service_date) WHERE status = 'ACTIVE';
