-- After the shape of Sakila: two foreign keys to one table, many-to-many twice, a view.
create table language (language_id integer primary key, name char(20) not null);
create table actor (
  actor_id integer primary key,
  first_name varchar(45) not null,
  last_name varchar(45) not null,
  last_update timestamp not null
);
create table category (category_id integer primary key, name varchar(25) not null);
create table film (
  film_id integer primary key,
  title varchar(255) not null,
  description varchar(1000),
  release_year smallint,
  language_id integer not null references language (language_id),
  original_language_id integer references language (language_id),
  rental_rate numeric(4, 2) not null,
  rating varchar(10) check (rating in ('G', 'PG', 'PG-13', 'R', 'NC-17'))
);
create table film_actor (
  actor_id integer not null references actor (actor_id),
  film_id integer not null references film (film_id),
  primary key (actor_id, film_id)
);
create table film_category (
  film_id integer not null references film (film_id),
  category_id integer not null references category (category_id),
  primary key (film_id, category_id)
);
create table store (store_id integer primary key, city varchar(50));
create table inventory (
  inventory_id integer primary key,
  film_id integer not null references film (film_id),
  store_id integer not null references store (store_id)
);
create table rental (
  rental_id integer primary key,
  rental_date timestamp not null,
  inventory_id integer not null references inventory (inventory_id),
  return_date timestamp,
  unique (rental_date, inventory_id)
);
create view film_list as
  select f.film_id as fid, f.title, c.name as category, f.rental_rate as price from film f
  join film_category fc on fc.film_id = f.film_id
  join category c on c.category_id = fc.category_id;
insert into language values (1, 'English'), (2, 'Italian');
insert into actor values (1, 'PENELOPE', 'GUINESS', '2006-02-15 04:34:33');
insert into category values (1, 'Documentary');
insert into film values (1, 'ACADEMY DINOSAUR', 'A drama', 2006, 1, 2, 0.99, 'PG');
insert into film_actor values (1, 1);
insert into film_category values (1, 1);
insert into store values (1, 'Lethbridge');
insert into inventory values (1, 1, 1);
insert into rental values (1, '2005-05-24 22:53:30', 1, null);
