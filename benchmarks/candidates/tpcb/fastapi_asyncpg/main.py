# SPDX-License-Identifier: Apache-2.0
"""TPC-B by FastAPI and asyncpg, with its default pool (10 connections) and prepared statements.

Environment: DATABASE_URL; the port is uvicorn's --port.
"""

import os
from contextlib import asynccontextmanager

import asyncpg
from fastapi import FastAPI, Request
from pydantic import BaseModel


class Transfer(BaseModel):
    aid: int
    tid: int
    bid: int
    delta: int


@asynccontextmanager
async def lifespan(app: FastAPI):
    async with asyncpg.create_pool(os.environ["DATABASE_URL"]) as pool:
        app.state.pool = pool
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/transaction")
async def transaction(t: Transfer, request: Request):
    async with request.app.state.pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2", t.delta, t.aid
        )
        balance = await connection.fetchval(
            "SELECT abalance FROM pgbench_accounts WHERE aid = $1", t.aid
        )
        await connection.execute(
            "UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2", t.delta, t.tid
        )
        await connection.execute(
            "UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2", t.delta, t.bid
        )
        await connection.execute(
            "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler)"
            " VALUES ($1, $2, $3, $4, now(), repeat('x', 22))",
            t.tid, t.bid, t.aid, t.delta,
        )
    return {"balance": balance}
