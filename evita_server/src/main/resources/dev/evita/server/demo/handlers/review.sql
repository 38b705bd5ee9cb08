-- route: POST /shop/:product/reviews
-- path: product integer
-- form: rating integer not null
-- form: title text not null
-- A form that writes. Pages of other origins are refused; a rating of 6 violates a check.
insert into reviews (product_id, customer_id, rating, title)
  select product, (select min(id) from customers), rating, title from request;
select '/shop/' || product as location from request
