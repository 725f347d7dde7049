import { TreadleError, type Treadle } from "@treadle/client";
import type { Review } from "@treadle/protocol";
import { afterEach, expect, it, vi } from "vitest";
import { EXIT } from "../terminal/exit-status.ts";
import { askReview } from "./ask-review.ts";

let printed = "";
const print = (text: unknown) => {
  printed += String(text);
  return true;
};
vi.spyOn(process.stdout, "write").mockImplementation(print);
vi.spyOn(process.stderr, "write").mockImplementation(print);
afterEach(() => (printed = ""));

/** A server whose request is in each of these states, one after the other. */
function server(states: Partial<Review>[], refusal?: TreadleError): Treadle {
  const api = {
    async POST() {
      if (refusal) throw refusal;
      return { data: { id: "v", state: "requested" } };
    },
    async GET(path: string) {
      if (path.endsWith("/reviews"))
        return { data: { reviews: [{ id: "v", ...(states.length > 1 ? states.shift() : states[0]) }] } }; // prettier-ignore
      const releases = [{ number: 3, review: "v", state: "ready" }];
      return { data: { releases, current: 3, publicAddresses: [], address: "http://shop.localhost" } }; // prettier-ignore
    },
  };
  return { api } as unknown as Treadle;
}
const waits = { waits: true, json: false, pollMs: 1 };

it("asks, and says that somebody else has to approve", async () => {
  expect(await askReview(server([]), "p", { waits: false, json: false })).toBe(EXIT.waiting);
});

it("waits for the answer, and then prints where the app is published", async () => {
  const states: Partial<Review>[] = [
    { state: "requested" },
    { state: "approved" },
    { state: "done" },
  ];
  expect(await askReview(server(states), "p", waits)).toBe(EXIT.verified);
  expect(printed).toContain("http://shop.localhost");
});

it("says who refused it and why, and fails", async () => {
  const answer = { by: { id: "b", name: "Bob" }, at: 1, words: "The heading is wrong." };
  expect(await askReview(server([{ state: "refused", answer }]), "p", waits)).toBe(EXIT.failed);
  expect(printed).toMatch(/Bob.*The heading is wrong\./);
});

it("asks nobody where no second person is needed", async () => {
  const refusal = new TreadleError("no-review", "Nothing needs one.", 409);
  expect(await askReview(server([], refusal), "p", waits)).toBeUndefined();
});
