// SPDX-License-Identifier: Apache-2.0

//! TPC-B by axum and sqlx with its default pool (10 connections).
//! Environment: PORT, DATABASE_URL; PREPARED_STATEMENTS=off for unnamed statements.

use axum::{extract::State, http::StatusCode, routing::post, Json, Router};
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

async fn transaction(
    State((pool, prepared)): State<(PgPool, bool)>,
    Json(transfer): Json<Transfer>,
) -> Result<Json<Balance>, (StatusCode, String)> {
    let balance = run(&pool, prepared, &transfer)
        .await
        .map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(Json(Balance { balance }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = PgPool::connect(&env::var("DATABASE_URL")?).await?;
    let prepared = env::var("PREPARED_STATEMENTS").as_deref() != Ok("off");
    let app = Router::new()
        .route("/transaction", post(transaction))
        .with_state((pool, prepared));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", env::var("PORT")?)).await?;
    axum::serve(listener, app).await?;
    Ok(())
}
