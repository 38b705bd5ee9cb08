create table products (id bigint primary key, name varchar(80) not null);
insert into products values (1, 'Lamp'), (2, 'Pen');
