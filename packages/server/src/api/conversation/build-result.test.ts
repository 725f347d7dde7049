import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";
import { REPORT_BYTES, STDERR_KEPT, STDERR_LIMIT } from "./build-result.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let count = 0;
const fresh = () => `session-${++count}`;
const call = (method: string, session: string | undefined, text?: string) =>
  server.api("/build-result", {
    method,
    body: text,
    headers: session === undefined ? {} : { "x-session-id": session },
  });
const post = (session: string | undefined, report: unknown) =>
  call("POST", session, JSON.stringify(report));
const latest = async (session: string) =>
  (await call("GET", session)).json() as Promise<Record<string, unknown>>;

describe("/build-result", () => {
  it("is empty at first, returns the latest report unchanged, and deletes it on demand", async () => {
    const session = fresh();
    expect(await latest(session)).toEqual({ status: "unknown", ranAtMs: 0 });
    const report = {
      status: "failed",
      stage: "build",
      revision: "abcd",
      exitCode: 2,
      wallTimeMs: 10,
      stderr: "boom",
      previewUrl: "https://x.example/",
      visual: { source: "probe", rendersNonEmpty: false },
    };
    expect(await (await post(session, report)).json()).toEqual({ ok: true });
    expect(await latest(session)).toEqual({ ...report, ranAtMs: expect.any(Number) });
    for (let again = 0; again < 2; again++)
      expect(await (await call("DELETE", session)).json()).toEqual({ ok: true });
    expect(await latest(session)).toEqual({ status: "unknown", ranAtMs: 0 });
  });

  it.each([undefined, "", "short", "x".repeat(129), "has space", "naïve-session"])(
    "refuses the session id %j",
    async (session) => {
      for (const method of ["POST", "GET", "DELETE"]) {
        const body = method === "POST" ? '{"status":"success"}' : undefined;
        // A header can only contain Latin-1; the route has to refuse the rest.
        const response = await call(method, session, body);
        expect(response.status).toBe(400);
      }
    },
  );

  it("trims the session id and keeps sessions apart", async () => {
    const session = fresh();
    await post(`  ${session} `, { status: "success" });
    expect((await latest(session)).status).toBe("success");
    expect((await latest(fresh())).status).toBe("unknown");
  });

  it.each(["null", "[]", '"x"', "1", "{", ""])("refuses the body %j", async (text) => {
    expect((await call("POST", fresh(), text)).status).toBe(400);
  });

  it.each([
    { status: "unknown" },
    { status: "done" },
    {},
    { status: "success", stage: "deploy" },
    { status: "success", stage: 7 },
    { status: "success", previewUrl: "javascript:alert(1)" },
    { status: "success", previewUrl: "not an address" },
  ])("refuses %j and keeps the last report", async (report) => {
    const session = fresh();
    await post(session, { status: "running" });
    expect((await post(session, report)).status).toBe(400);
    expect((await latest(session)).status).toBe("running");
  });

  it("drops an optional field of the wrong type", async () => {
    const session = fresh();
    const wrong = {
      exitCode: "2",
      wallTimeMs: null,
      stderr: 5,
      revision: 1,
      previewUrl: 3,
      visual: [],
      other: 1,
    };
    expect((await post(session, { status: "success", ...wrong })).status).toBe(200);
    expect(await latest(session)).toEqual({ status: "success", ranAtMs: expect.any(Number) });
  });

  it("accepts stderr and body up to their limits, and stores the tail", async () => {
    const session = fresh();
    const stderr = `${"x".repeat(STDERR_LIMIT - 3)}end`;
    expect((await post(session, { status: "failed", stderr })).status).toBe(200);
    const latestOutput = String((await latest(session)).stderr);
    expect(latestOutput).toHaveLength(STDERR_KEPT);
    expect(latestOutput.endsWith("end")).toBe(true);
    expect((await post(session, { status: "failed", stderr: `${stderr}y` })).status).toBe(413);

    const pad = (length: number) =>
      JSON.stringify({ status: "success", pad: "" }).replace('""', `"${"p".repeat(length)}"`);
    const room = REPORT_BYTES - pad(0).length;
    expect((await call("POST", session, pad(room))).status).toBe(200);
    expect((await call("POST", session, pad(room + 1))).status).toBe(413);
  });

  it("is guarded like every other route", async () => {
    const request = new Request("http://localhost:4173/build-result", {
      headers: { "x-session-id": fresh() },
    });
    expect((await server.treadle.fetch(request)).status).toBe(401);
  });
});
