-- route: GET /api/prices/:sku
-- A JSON endpoint: the latest price of a product in each currency.
select json_object('sku': p.sku, 'name': p.name,
         'prices': (select json_objectagg(currency: amount) from prices
                     where product_id = p.id
                       and valid_from = (select max(valid_from) from prices later
                                          where later.product_id = p.id
                                            and later.currency = prices.currency))) as body
  from request
  join products p on p.sku = request.sku
