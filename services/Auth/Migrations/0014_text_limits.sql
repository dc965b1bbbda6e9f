-- The limits of texts that users enter, as the service checks them: a name in Unicode scalars, others at eight scalars for
-- each character. Longer ones of earlier versions, which counted characters with any number of marks, are cut.
UPDATE accounts SET
    nickname = CASE WHEN char_length(nickname) > 50 THEN left(nickname, 30) || id ELSE nickname END,
    introduction = left(introduction, 480), phone = left(phone, 240), birth_day = left(birth_day, 240)
WHERE char_length(nickname) > 50 OR char_length(introduction) > 480 OR char_length(phone) > 240
    OR char_length(birth_day) > 240;
ALTER TABLE accounts
    ADD CONSTRAINT accounts_nickname_check CHECK (char_length(nickname) <= 50) NOT VALID,
    ADD CONSTRAINT accounts_introduction_check CHECK (char_length(introduction) <= 480) NOT VALID,
    ADD CONSTRAINT accounts_phone_check CHECK (char_length(phone) <= 240) NOT VALID,
    ADD CONSTRAINT accounts_birth_day_check CHECK (char_length(birth_day) <= 240) NOT VALID;
