-- After the shape of the "employees" sample, with keys of three columns; and names that are none.
create table employees (
  emp_no integer primary key,
  birth_date date not null,
  first_name varchar(14) not null,
  last_name varchar(16) not null,
  gender char(1) not null check (gender in ('M', 'F', 'X'))
);
create table departments (dept_no char(4) primary key, dept_name varchar(40) not null unique);
create table dept_emp (
  emp_no integer not null references employees (emp_no),
  dept_no char(4) not null references departments (dept_no),
  from_date date not null,
  to_date date not null,
  primary key (emp_no, dept_no)
);
create table dept_manager (
  emp_no integer not null,
  dept_no char(4) not null,
  from_date date not null,
  primary key (emp_no, dept_no),
  foreign key (emp_no, dept_no) references dept_emp (emp_no, dept_no)
);
create table titles (
  emp_no integer not null references employees (emp_no),
  title varchar(50) not null,
  from_date date not null,
  to_date date,
  primary key (emp_no, title, from_date)
);
create table "select" ("from" integer primary key, "where" varchar(10), "order by" varchar(10));
create table "Größen und ""Maße""" (
  "größe in m²" integer primary key,
  "1st" varchar(10),
  "__typename" varchar(10),
  "a-b" varchar(10),
  "a_b" varchar(10),
  "a'; drop table employees; --" varchar(10)
);
create table keyless (amount integer);
insert into employees values (10001, '1953-09-02', 'Georgi', 'Facello', 'M');
insert into departments values ('d005', 'Development');
insert into dept_emp values (10001, 'd005', '1986-06-26', '9999-01-01');
insert into dept_manager values (10001, 'd005', '1990-01-01');
insert into titles values (10001, 'Senior Engineer', '1986-06-26', '9999-01-01');
insert into "select" values (1, 'x', 'y');
insert into "Größen und ""Maße""" values (1, 'a', 'b', 'c', 'd', 'e');
insert into keyless values (7);
