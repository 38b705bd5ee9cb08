-- stage: before
-- Headers of each response that a handler makes.
select '{"x-content-type-options": "nosniff", "referrer-policy": "same-origin"}' as headers
