import { TreadleError, type Treadle } from "@treadle/client";
import { expect, it } from "vitest";
import { makeRelease } from "./make-release.ts";

/** A server that is busy publishing for this many requests. */
function server(publishing: number): Treadle {
  const publication = { releases: [{ number: 2, state: "ready" }] };
  let asked = 0;
  const api = {
    async POST() {
      if (asked++ < publishing) throw new TreadleError("publishing", "It is being published.", 409);
      return { data: publication };
    },
    GET: async () => ({ data: publication }),
  };
  return { api } as unknown as Treadle;
}

it("waits for the restart with new secrets before it makes a release", async () => {
  const made = await makeRelease(server(1), "p", { isRestarting: true });
  expect(made.number).toBe(2);
});

it("is refused at once while someone else is publishing", async () => {
  await expect(makeRelease(server(1), "p", {})).rejects.toMatchObject({ code: "publishing" });
});
