-- route: GET /
-- route: GET /shop
-- query: search text = 
-- A page made by a template: the products whose names contain the text, with a link to each.
select 'shop.html' as template, search,
       (select json_arrayagg(json_object('id': id, 'name': name, 'brand': brand) order by id)
          from (select p.id, p.name, b.name as brand
                  from products p join brands b on b.id = p.brand_id
                 where lower(p.name) like '%' || lower((select search from request)) || '%'
                 order by p.id limit 20)) as products
  from request
