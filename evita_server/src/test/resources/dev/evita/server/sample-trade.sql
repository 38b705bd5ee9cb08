-- After the shape of Northwind: names with spaces, a composite key with a payload, a tree of staff.
create table "Categories" (
  "CategoryID" integer primary key,
  "CategoryName" varchar(15) not null,
  "Picture" varchar(10)
);
create table "Suppliers" ("SupplierID" integer primary key, "CompanyName" varchar(40) not null);
create table "Products" (
  "ProductID" integer primary key,
  "ProductName" varchar(40) not null,
  "SupplierID" integer references "Suppliers" ("SupplierID"),
  "CategoryID" integer references "Categories" ("CategoryID"),
  "UnitPrice" numeric(19, 4) default 0,
  "Discontinued" boolean not null
);
create table "Employees" (
  "EmployeeID" integer primary key,
  "LastName" varchar(20) not null,
  "ReportsTo" integer references "Employees" ("EmployeeID")
);
create table "Region" ("RegionID" integer primary key, "RegionDescription" char(50) not null);
create table "Territories" (
  "TerritoryID" varchar(20) primary key,
  "RegionID" integer not null references "Region" ("RegionID")
);
create table "EmployeeTerritories" (
  "EmployeeID" integer not null references "Employees" ("EmployeeID"),
  "TerritoryID" varchar(20) not null references "Territories" ("TerritoryID"),
  primary key ("EmployeeID", "TerritoryID")
);
create table "Orders" (
  "OrderID" integer primary key,
  "EmployeeID" integer references "Employees" ("EmployeeID"),
  "OrderDate" date,
  "Freight" numeric(19, 4) default 0
);
create table "Order Details" (
  "OrderID" integer not null references "Orders" ("OrderID"),
  "ProductID" integer not null references "Products" ("ProductID"),
  "UnitPrice" numeric(19, 4) not null,
  "Quantity" smallint not null,
  "Discount" real not null,
  primary key ("OrderID", "ProductID")
);
create view "Products by Category" as
  select c."CategoryName", p."ProductName" from "Categories" c
  join "Products" p on p."CategoryID" = c."CategoryID";
insert into "Categories" values (1, 'Beverages', null);
insert into "Suppliers" values (1, 'Exotic Liquids');
insert into "Products" values (1, 'Chai', 1, 1, 18.0000, false), (2, 'Chang', 1, 1, 19.0000, true);
insert into "Employees" values (2, 'Fuller', null);
insert into "Employees" values (1, 'Davolio', 2);
insert into "Region" values (1, 'Eastern');
insert into "Territories" values ('01581', 1);
insert into "EmployeeTerritories" values (1, '01581');
insert into "Orders" values (10248, 1, '1996-07-04', 32.3800);
insert into "Order Details" values (10248, 1, 14.0000, 12, 0), (10248, 2, 9.8000, 10, 0.05);
