// SPDX-License-Identifier: Apache-2.0

// Go's net/http and pgx with its pool, as their documentation has them.
// Arguments: port, connection string of PostgreSQL.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func main() {
	config, err := pgxpool.ParseConfig(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	config.MaxConns = 10
	mux := http.NewServeMux()
	var pool *pgxpool.Pool
	mux.HandleFunc("GET /users/{handle}", func(w http.ResponseWriter, r *http.Request) {
		var name string
		err := pool.QueryRow(r.Context(), "SELECT name FROM users WHERE handle = $1", r.PathValue("handle")).Scan(&name)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			http.NotFound(w, r)
		case err != nil:
			http.Error(w, "failed", http.StatusInternalServerError)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "Hello, <b>%s</b>!", name)
		}
	})
	if pool, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], mux))
}
