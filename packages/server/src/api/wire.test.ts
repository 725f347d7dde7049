import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";
import { SESSION, tryCut } from "./wire.test-support.ts";

let server: TestServer;
let port: number;
beforeAll(async () => {
  server = await startTestServer();
  ({ port } = await server.listen());
});
afterAll(() => server.close());

/** Message, run-start and run-end are additional events. */
const EVENTS = Array.from({ length: SESSION.length + 2 }, (_, index) => index + 1);
/** A selection; `npm run soak wire` tries more. */
const BYTES = [1, 90, 333, 600, 800, 1_201, 1_777, 2_400];

describe.each(["events", "socket"] as const)(
  "F10 F11 the log over an unreliable connection, by %s",
  (transport) => {
    it("is the same after a cut at any event of a session", async () => {
      for (const events of EVENTS)
        expect(await tryCut(server, port, { transport, events }), `after ${events}`).toEqual([]);
    });

    it("is the same after a cut inside an event", async () => {
      for (const bytes of BYTES)
        expect(await tryCut(server, port, { transport, bytes }), `at byte ${bytes}`).toEqual([]);
    });
  },
);
