-- After the rows, as it is faster to check and to index them all at once.

create index categories_parent on categories (parent_id);
create index products_brand on products (brand_id);
create index products_category on products (category_id);
create index stock_product on stock (product_id);
create index orders_customer on orders (customer_id);
create index order_lines_product on order_lines (product_id);
create index reviews_product on reviews (product_id);
create index reviews_customer on reviews (customer_id);

alter table categories add foreign key (parent_id) references categories;
alter table products add foreign key (brand_id) references brands;
alter table products add foreign key (category_id) references categories;
alter table prices add foreign key (product_id) references products;
alter table stock add foreign key (product_id) references products;
alter table orders add foreign key (customer_id) references customers;
alter table order_lines add foreign key (order_id) references orders;
alter table order_lines add foreign key (product_id) references products;
alter table reviews add foreign key (product_id) references products;
alter table reviews add foreign key (customer_id) references customers;

alter table brands alter column id restart with 1000;
alter table categories alter column id restart with 1000;
alter table products alter column id restart with 100000;
alter table prices alter column id restart with 100000;
alter table customers alter column id restart with 100000;
alter table orders alter column id restart with 1000000;
alter table reviews alter column id restart with 100000;

analyze;
