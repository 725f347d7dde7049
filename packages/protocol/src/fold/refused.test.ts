import { expect, it } from "vitest";
import type { LogEvent } from "../log/types.ts";
import { createLogFold } from "./log-fold.ts";

const view = (...events: LogEvent[]) => {
  const fold = createLogFold();
  for (const event of events) fold.add(event, 0);
  return fold.state;
};
const refuse = (host: string, more = {}): LogEvent => ({ type: "egress-refused", host, ...more });

it("names each refused host once, with how often, the newest last", () => {
  const { refused } = view(refuse("a.com"), refuse("b.com"), refuse("a.com", { count: 7 }));
  expect(refused).toEqual([
    { host: "b.com", reason: "not-allowed", times: 1 },
    { host: "a.com", reason: "not-allowed", times: 8 },
  ]);
});

it("a host that was allowed since is asked for no more, also below a star", () => {
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

it("what stands for an address of the server's network stays, whatever is allowed", () => {
  const { refused } = view(refuse("a.com", { reason: "address" }), {
    type: "hosts-changed",
    hosts: ["a.com"],
  });
  expect(refused).toHaveLength(1);
});

it("keeps twenty hosts", () => {
  const events = Array.from({ length: 100 }, (_, index) => refuse(`${index}.com`));
  expect(view(...events).refused).toHaveLength(20);
});
