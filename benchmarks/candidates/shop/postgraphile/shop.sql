-- The rows of the benchmarks' shop.sql, for PostgreSQL.
create table brands (
  id int primary key,
  name varchar(100) not null
);
create table products (
  id int primary key,
  brand_id int not null references brands (id),
  code varchar(20) not null unique,
  name varchar(100) not null,
  description varchar(500),
  weight numeric(10, 3),
  stock int not null,
  active boolean not null,
  rating double precision,
  created timestamp not null
);
create index on products (brand_id);
create table prices (
  product_id int not null references products (id),
  currency char(3) not null,
  amount numeric(12, 2) not null,
  primary key (product_id, currency)
);
insert into brands select x, 'Brand ' || x from generate_series(1, 100) x;
insert into products
  select x, mod(x * 7, 100) + 1, 'P-' || x, 'Product number ' || x,
    'A description of product ' || x || ' that has about the length of a sentence.',
    mod(x, 977) / 10.0, mod(x * 31, 500), mod(x, 10) <> 0, mod(x, 50) / 10.0,
    timestamp '2026-01-01 00:00:00' + x * interval '1 minute'
  from generate_series(1, 10000) x;
insert into prices select x, 'EUR', mod(x * 13, 10000) / 100.0 + 1 from generate_series(1, 10000) x;
insert into prices select x, 'USD', mod(x * 17, 10000) / 100.0 + 1 from generate_series(1, 10000) x;
analyze;
