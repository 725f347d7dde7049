import type { LogEvent } from "@treadle/protocol";
import { expect, it } from "vitest";
import { createRefusalLog } from "./refusal-log.ts";

function start() {
  const events: LogEvent[] = [];
  const clock = { now: 0 };
  const log = createRefusalLog({ now: () => clock.now, append: (event) => events.push(event) });
  return { events, clock, log };
}

it("A27 reports a host at once, then once a minute with the number of refusals", () => {
  const { events, clock, log } = start();
  for (let time = 0; time < 90; time++) {
    clock.now = time * 1_000;
    log.refused("evil.com", "not-allowed");
  }
  expect(events).toEqual([
    { type: "egress-refused", host: "evil.com", reason: "not-allowed" },
    { type: "egress-refused", host: "evil.com", reason: "not-allowed", count: 60 },
  ]);
});

it("is not flooded by endless names, and reports others later", () => {
  const { events, clock, log } = start();
  for (let name = 0; name < 10_000; name++) log.refused(`${name}.evil.com`, "not-allowed");
  expect(events.length).toBe(50);
  clock.now = 10 * 60_000;
  log.refused("late.com", "not-allowed");
  expect(events.at(-1)).toMatchObject({ host: "late.com" });
  log.refused("x".repeat(5_000), "not-allowed");
  expect((events.at(-1) as { host: string }).host.length).toBeLessThanOrEqual(260);
});

it("reports a refusal again after the list has changed", () => {
  const { events, log } = start();
  log.refused("a.com", "not-allowed");
  log.forget();
  log.refused("a.com", "not-allowed");
  expect(events.length).toBe(2);
});
