// SPDX-License-Identifier: Apache-2.0

//! TPC-B by actix-web and sqlx with its default pool (10 connections).
//! Environment: PORT, DATABASE_URL; PREPARED_STATEMENTS=off for unnamed statements.

use actix_web::{error::ErrorInternalServerError, post, web, App, HttpServer};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use std::env;

#[derive(Deserialize)]
struct Transfer {
    aid: i32,
    tid: i32,
    bid: i32,
    delta: i32,
}

#[derive(Serialize)]
struct Balance {
    balance: i32,
}

async fn run(pool: &PgPool, prepared: bool, t: &Transfer) -> Result<i32, sqlx::Error> {
    let mut tx = pool.begin().await?;
    sqlx::query("UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2")
        .bind(t.delta)
        .bind(t.aid)
        .persistent(prepared)
        .execute(&mut *tx)
        .await?;
    let balance = sqlx::query_scalar("SELECT abalance FROM pgbench_accounts WHERE aid = $1")
        .bind(t.aid)
        .persistent(prepared)
        .fetch_one(&mut *tx)
        .await?;
    sqlx::query("UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2")
        .bind(t.delta)
        .bind(t.tid)
        .persistent(prepared)
        .execute(&mut *tx)
        .await?;
    sqlx::query("UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2")
        .bind(t.delta)
        .bind(t.bid)
        .persistent(prepared)
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler) \
         VALUES ($1, $2, $3, $4, now(), repeat('x', 22))",
    )
    .bind(t.tid)
    .bind(t.bid)
    .bind(t.aid)
    .bind(t.delta)
    .persistent(prepared)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(balance)
}

#[post("/transaction")]
async fn transaction(
    pool: web::Data<PgPool>,
    prepared: web::Data<bool>,
    transfer: web::Json<Transfer>,
) -> actix_web::Result<web::Json<Balance>> {
    let balance = run(&pool, **prepared, &transfer)
        .await
        .map_err(ErrorInternalServerError)?;
    Ok(web::Json(Balance { balance }))
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = PgPool::connect(&env::var("DATABASE_URL")?).await?;
    let prepared = env::var("PREPARED_STATEMENTS").as_deref() != Ok("off");
    let port = env::var("PORT")?.parse()?;
    HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(pool.clone()))
            .app_data(web::Data::new(prepared))
            .service(transaction)
    })
    .bind(("127.0.0.1", port))?
    .run()
    .await?;
    Ok(())
}
