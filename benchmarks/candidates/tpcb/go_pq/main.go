// SPDX-License-Identifier: Apache-2.0

// TPC-B by Go's net/http and lib/pq under database/sql, whose pool is unlimited by default and keeps two idle connections.
// Environment: PORT, DATABASE_URL.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
	"os"

	_ "github.com/lib/pq"
)

type transfer struct {
	Aid, Tid, Bid, Delta int32
}

func run(ctx context.Context, db *sql.DB, t transfer) (balance int32, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2", t.Delta, t.Aid); err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, "SELECT abalance FROM pgbench_accounts WHERE aid = $1", t.Aid).Scan(&balance); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2", t.Delta, t.Tid); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2", t.Delta, t.Bid); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler) VALUES ($1, $2, $3, $4, now(), repeat('x', 22))", t.Tid, t.Bid, t.Aid, t.Delta); err != nil {
		return 0, err
	}
	return balance, tx.Commit()
}

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /transaction", func(w http.ResponseWriter, r *http.Request) {
		var t transfer
		if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		balance, err := run(r.Context(), db, t)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int32{"balance": balance})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
