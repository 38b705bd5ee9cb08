-- After the shape of Chinook: self reference, many-to-many with a composite key, several foreign keys.
create table artists (artist_id integer primary key, name varchar(120));
create table albums (
  album_id integer primary key,
  title varchar(160) not null,
  artist_id integer not null references artists (artist_id)
);
create table genres (genre_id integer primary key, name varchar(120));
create table media_types (media_type_id integer primary key, name varchar(120));
create table tracks (
  track_id integer primary key,
  name varchar(200) not null,
  album_id integer references albums (album_id),
  media_type_id integer not null references media_types (media_type_id),
  genre_id integer references genres (genre_id),
  composer varchar(220),
  milliseconds integer not null,
  bytes bigint,
  unit_price numeric(10, 2) not null
);
create table playlists (playlist_id integer primary key, name varchar(120));
create table playlist_track (
  playlist_id integer not null references playlists (playlist_id),
  track_id integer not null references tracks (track_id),
  primary key (playlist_id, track_id)
);
create table employees (
  employee_id integer primary key,
  last_name varchar(20) not null,
  first_name varchar(20) not null,
  reports_to integer references employees (employee_id),
  birth_date timestamp,
  hire_date timestamp
);
create table customers (
  customer_id integer primary key,
  first_name varchar(40) not null,
  last_name varchar(20) not null,
  email varchar(60) not null,
  support_rep_id integer references employees (employee_id)
);
create table invoices (
  invoice_id integer primary key,
  customer_id integer not null references customers (customer_id),
  invoice_date timestamp not null,
  total numeric(10, 2) not null
);
create table invoice_lines (
  invoice_line_id integer primary key,
  invoice_id integer not null references invoices (invoice_id),
  track_id integer not null references tracks (track_id),
  unit_price numeric(10, 2) not null,
  quantity integer not null
);
insert into artists values (1, 'AC/DC'), (2, 'Antônio Carlos Jobim');
insert into albums values (1, 'For Those About To Rock', 1), (2, 'Warner 25 Anos', 2);
insert into genres values (1, 'Rock'), (2, 'Jazz');
insert into media_types values (1, 'MPEG audio file');
insert into tracks values
  (1, 'For Those About To Rock (We Salute You)', 1, 1, 1, 'Angus Young', 343719, 11170334, 0.99),
  (2, 'Desafinado', 2, 1, 2, null, 185338, 5990473, 0.99);
insert into playlists values (1, 'Music');
insert into playlist_track values (1, 1), (1, 2);
insert into employees values (1, 'Adams', 'Andrew', null, '1962-02-18 00:00:00', '2002-08-14 00:00:00');
insert into employees values (2, 'Edwards', 'Nancy', 1, '1958-12-08 00:00:00', '2002-05-01 00:00:00');
insert into customers values (1, 'Luís', 'Gonçalves', 'luisg@example.com', 2);
insert into invoices values (1, 1, '2009-01-01 00:00:00', 1.98);
insert into invoice_lines values (1, 1, 1, 0.99, 1), (2, 1, 2, 0.99, 1);
