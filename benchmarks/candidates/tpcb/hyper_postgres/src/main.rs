// SPDX-License-Identifier: Apache-2.0

//! TPC-B by hyper and tokio-postgres, with deadpool's pool at its default size and prepared statements.
//! Environment: PORT, DATABASE_URL.

use deadpool_postgres::{Config, Pool, Runtime};
use http_body_util::{BodyExt, Full};
use hyper::{body::Bytes, body::Incoming, server::conn::http1, service::service_fn};
use hyper::{header::CONTENT_TYPE, Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use std::{convert::Infallible, env, error::Error};
use tokio_postgres::NoTls;

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

async fn run(pool: &Pool, t: &Transfer) -> Result<i32, Box<dyn Error + Send + Sync>> {
    let mut client = pool.get().await?;
    let tx = client.transaction().await?;
    let account = tx
        .prepare_cached("UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2")
        .await?;
    tx.execute(&account, &[&t.delta, &t.aid]).await?;
    let select = tx
        .prepare_cached("SELECT abalance FROM pgbench_accounts WHERE aid = $1")
        .await?;
    let balance = tx.query_one(&select, &[&t.aid]).await?.get(0);
    let teller = tx
        .prepare_cached("UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2")
        .await?;
    tx.execute(&teller, &[&t.delta, &t.tid]).await?;
    let branch = tx
        .prepare_cached("UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2")
        .await?;
    tx.execute(&branch, &[&t.delta, &t.bid]).await?;
    let history = tx
        .prepare_cached(
            "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler) \
             VALUES ($1, $2, $3, $4, now(), repeat('x', 22))",
        )
        .await?;
    tx.execute(&history, &[&t.tid, &t.bid, &t.aid, &t.delta]).await?;
    tx.commit().await?;
    Ok(balance)
}

async fn respond(
    pool: &Pool,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Box<dyn Error + Send + Sync>> {
    if request.method() != Method::POST || request.uri().path() != "/transaction" {
        return Ok(Response::builder().status(StatusCode::NOT_FOUND).body(Full::default())?);
    }
    let body = request.into_body().collect().await?.to_bytes();
    let balance = run(pool, &serde_json::from_slice(&body)?).await?;
    Ok(Response::builder()
        .header(CONTENT_TYPE, "application/json")
        .body(Full::from(serde_json::to_vec(&Balance { balance })?))?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let config = Config {
        url: Some(env::var("DATABASE_URL")?),
        ..Config::default()
    };
    let pool = config.create_pool(Some(Runtime::Tokio1), NoTls)?;
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", env::var("PORT")?)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let pool = pool.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| async {
                Ok::<_, Infallible>(respond(&pool, request).await.unwrap_or_else(|error| {
                    let mut response = Response::new(Full::from(error.to_string()));
                    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                    response
                }))
            });
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}
