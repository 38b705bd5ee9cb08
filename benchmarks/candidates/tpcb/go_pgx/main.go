// SPDX-License-Identifier: Apache-2.0

// TPC-B by Go's net/http and pgx with its pool; pgx prepares and caches its statements by default.
// Environment: PORT, DATABASE_URL; PREPARED_STATEMENTS=off for unnamed statements.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type transfer struct {
	Aid, Tid, Bid, Delta int32
}

func run(ctx context.Context, pool *pgxpool.Pool, t transfer) (balance int32, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2", t.Delta, t.Aid); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "SELECT abalance FROM pgbench_accounts WHERE aid = $1", t.Aid).Scan(&balance); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2", t.Delta, t.Tid); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2", t.Delta, t.Bid); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler) VALUES ($1, $2, $3, $4, now(), repeat('x', 22))", t.Tid, t.Bid, t.Aid, t.Delta)
		return err
	})
	return balance, err
}

func main() {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	if os.Getenv("PREPARED_STATEMENTS") == "off" {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /transaction", func(w http.ResponseWriter, r *http.Request) {
		var t transfer
		if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		balance, err := run(r.Context(), pool, t)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int32{"balance": balance})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
