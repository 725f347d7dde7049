import { expect, it } from "vitest";
import type { LogEvent } from "../log/types.ts";
import { createLogFold } from "./log-fold.ts";

const view = (...events: LogEvent[]) => {
  const fold = createLogFold();
  for (const event of events) fold.add(event, 0);
  return fold.state;
};
const refuse = (host: string, more = {}): LogEvent => ({ type: "egress-refused", host, ...more });

it("lists each refused host once with a count, newest last", () => {
  const { refused } = view(refuse("a.com"), refuse("b.com"), refuse("a.com", { count: 7 }));
  expect(refused).toEqual([
    { host: "b.com", reason: "not-allowed", times: 1 },
    { host: "a.com", reason: "not-allowed", times: 8 },
  ]);
});

it("removes a host that was allowed since, also by a wildcard", () => {
  const { refused, allowed } = view(
    refuse("a.com"),
    refuse("x.b.com"),
    refuse("b.com"),
    refuse("evilb.com"),
    refuse("c.com:8443"),
    { type: "hosts-changed", hosts: ["a.com", "*.b.com", "c.com"] },
  );
  expect(refused.map(({ host }) => host)).toEqual(["b.com", "evilb.com", "c.com:8443"]);
  expect(allowed).toEqual(["a.com", "*.b.com", "c.com"]);
});

it("keeps a host that resolves to the server's network, whatever is allowed", () => {
  const { refused } = view(refuse("a.com", { reason: "address" }), {
    type: "hosts-changed",
    hosts: ["a.com"],
  });
  expect(refused).toHaveLength(1);
});

it("keeps at most twenty hosts", () => {
  const events = Array.from({ length: 100 }, (_, index) => refuse(`${index}.com`));
  expect(view(...events).refused).toHaveLength(20);
});
