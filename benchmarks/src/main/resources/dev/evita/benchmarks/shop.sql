-- 10 000 products of 100 brands with two prices each: what the benchmarks read
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
create table prices (
  product_id int not null references products (id),
  currency char(3) not null,
  amount numeric(12, 2) not null,
  primary key (product_id, currency)
);
-- what the benchmarks write
create table visits (
  id bigint generated always as identity primary key,
  product_id int not null references products (id),
  note varchar(100) not null
);
insert into brands select x, 'Brand ' || x from system_range(1, 100);
insert into products
  select x, mod(x * 7, 100) + 1, 'P-' || x, 'Product number ' || x,
    'A description of product ' || x || ' that has about the length of a sentence.',
    mod(x, 977) / 10.0, mod(x * 31, 500), mod(x, 10) <> 0, mod(x, 50) / 10.0,
    dateadd('minute', x, timestamp '2026-01-01 00:00:00')
  from system_range(1, 10000);
insert into prices select x, 'EUR', mod(x * 13, 10000) / 100.0 + 1 from system_range(1, 10000);
insert into prices select x, 'USD', mod(x * 17, 10000) / 100.0 + 1 from system_range(1, 10000);
analyze;
