// SPDX-License-Identifier: Apache-2.0
// Virtual users that run TPC-B transactions in a closed loop; started by K6.java.
import http from "k6/http";
import { sleep } from "k6";
import { Counter } from "k6/metrics";

const failures = new Counter("failures");
const scale = Number(__ENV.SCALE);
const pause = Number(__ENV.PAUSE);
const parameters = { headers: { "Content-Type": "application/json" }, timeout: "60s" };

export const options = {
  vus: Number(__ENV.USERS),
  duration: __ENV.DURATION,
  gracefulStop: "60s",
  discardResponseBodies: true,
  summaryTrendStats: ["min", "max", "avg", "med", "p(90)", "p(95)", "p(99)"],
};

function random(least, most) {
  return least + Math.floor(Math.random() * (most - least + 1));
}

export default function () {
  const transfer = {
    aid: random(1, 100000 * scale),
    tid: random(1, 10 * scale),
    bid: random(1, scale),
    delta: random(-5000, 5000),
  };
  const response = http.post(__ENV.URL, JSON.stringify(transfer), parameters);
  if (response.status !== 200) {
    failures.add(1);
  }
  if (pause > 0) {
    sleep(pause);
  }
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data) };
}
