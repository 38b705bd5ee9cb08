# SPDX-License-Identifier: Apache-2.0
"""TPC-B by FastAPI and psycopg, with its default pool (4 connections), which prepares statements at their fifth use.

Environment: DATABASE_URL; PREPARED_STATEMENTS=off for unnamed statements; the port is uvicorn's --port.
"""

import os
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel


class Transfer(BaseModel):
    aid: int
    tid: int
    bid: int
    delta: int


UNPREPARED = {"prepare_threshold": None}
OPTIONS = UNPREPARED if os.environ.get("PREPARED_STATEMENTS") == "off" else {}


@asynccontextmanager
async def lifespan(app: FastAPI):
    async with AsyncConnectionPool(os.environ["DATABASE_URL"], kwargs=OPTIONS) as pool:
        app.state.pool = pool
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/transaction")
async def transaction(t: Transfer, request: Request):
    async with request.app.state.pool.connection() as connection:
        await connection.execute(
            "UPDATE pgbench_accounts SET abalance = abalance + %s WHERE aid = %s", (t.delta, t.aid)
        )
        cursor = await connection.execute(
            "SELECT abalance FROM pgbench_accounts WHERE aid = %s", (t.aid,)
        )
        (balance,) = await cursor.fetchone()
        await connection.execute(
            "UPDATE pgbench_tellers SET tbalance = tbalance + %s WHERE tid = %s", (t.delta, t.tid)
        )
        await connection.execute(
            "UPDATE pgbench_branches SET bbalance = bbalance + %s WHERE bid = %s", (t.delta, t.bid)
        )
        await connection.execute(
            "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler)"
            " VALUES (%s, %s, %s, %s, now(), repeat('x', 22))",
            (t.tid, t.bid, t.aid, t.delta),
        )
    return {"balance": balance}
