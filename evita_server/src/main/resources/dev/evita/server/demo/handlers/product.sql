-- route: GET /shop/:product
-- path: product integer
-- A product with its reviews, and a form for another one.
select 'product.html' as template, p.id, p.name, p.description, b.name as brand,
       (select json_arrayagg(json_object('rating': rating, 'title': title) order by id desc)
          from reviews where product_id = p.id) as reviews
  from request
  join products p on p.id = request.product
  join brands b on b.id = p.brand_id
