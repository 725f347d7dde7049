import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksPostgres } from "../../../store/src/postgres/database.test-support.ts";
import {
  problemsOf,
  type ServerProcess,
  startServers,
  textsOf,
} from "./several-servers.test-support.ts";

/** Long enough for a busy machine, on which a server may be silent for a while. */
const LEASE_MS = 6_000;

describe.skipIf(lacksPostgres)("two servers on one database", () => {
  let servers: Awaited<ReturnType<typeof startServers>>;
  let one: ServerProcess;
  let other: ServerProcess;
  beforeAll(async () => {
    servers = await startServers({ leaseMs: LEASE_MS });
    [one, other] = await Promise.all([servers.start(), servers.start()]);
  });
  afterAll(() => servers.close());

  const create = async (at: ServerProcess, prompt: string) => {
    const answer = await servers.send(at, "/api/projects", { prompt });
    expect(answer.status).toBe(201);
    return (answer.body as { id: string }).id;
  };
  const ends = async (project: string) =>
    (await servers.log(project)).flatMap(({ event }) =>
      event.type === "run-end" ? event.outcome : [],
    );
  /** The processes that wrote each run of a project, whose log has to be sound. */
  const writersOf = async (project: string) => {
    const entries = await servers.log(project);
    expect(problemsOf(entries)).toEqual([]);
    const writers = entries.flatMap(({ event }) => event.type === "text" ? event.text.split(":")[0]! : []); // prettier-ignore
    return [...new Set(writers)];
  };
  const texts = async (project: string) =>
    (await servers.log(project)).filter(({ event }) => event.type === "text").length;

  it("answer for each other: requests and the log of a project of the other are forwarded", async () => {
    const project = await create(one, "write 40");
    const page = servers.follow(other, project);
    await expect.poll(() => page.entries.some(({ event }) => event.type === "run-end")).toBe(true);
    const { status } = await servers.send(other, `/api/projects/${project}/messages`, { text: "write 5" }); // prettier-ignore
    expect(status).toBe(202);
    await expect.poll(() => ends(project)).toEqual(["done", "done"]);
    page.close();
    expect(await writersOf(project)).toEqual([String(one.process.pid)]);
  });

  it("take over the project of one that was killed in a run, and say once that it was interrupted", async () => {
    const killed = await servers.start();
    const project = await create(killed, "write");
    await expect.poll(() => texts(project)).toBeGreaterThan(20);
    killed.process.kill("SIGKILL");
    // Nobody asks for it.
    await expect.poll(() => ends(project)).toEqual(["interrupted"]);
    await servers.sendUntilAnswered(other, `/api/projects/${project}/messages`, { text: "write 5" }); // prettier-ignore
    await expect.poll(() => ends(project)).toEqual(["interrupted", "done"]);
    await writersOf(project);
  });

  it("write nothing after a pause in which another server took the project over", async () => {
    const paused = await servers.start();
    const project = await create(paused, "write");
    await expect.poll(() => texts(project)).toBeGreaterThan(20);
    paused.process.kill("SIGSTOP");
    await expect.poll(() => ends(project)).toEqual(["interrupted"]);
    await delay(LEASE_MS);
    const before = await servers.log(project);
    paused.process.kill("SIGCONT");
    // It answers for the new owner again.
    await servers.sendUntilAnswered(paused, `/api/projects/${project}/messages`, { text: "write 5" }); // prettier-ignore
    await expect.poll(() => ends(project)).toEqual(["interrupted", "done"]);
    const after = await servers.log(project);
    expect([...textsOf(after)].slice(0, 1)).toEqual([...textsOf(before)]);
    const writers = await writersOf(project);
    expect(writers[0]).toBe(String(paused.process.pid));
    expect(writers[1]).not.toBe(writers[0]);
  });

  it("hand their projects over when they stop, without waiting for a lease to end", async () => {
    const stopping = await servers.start();
    const project = await create(stopping, "write");
    const idle = await create(stopping, "write 1");
    await expect.poll(() => texts(project)).toBeGreaterThan(5);
    stopping.process.kill("SIGTERM");
    await expect.poll(() => ends(project)).toEqual(["interrupted"]);
    await servers.sendUntilAnswered(one, `/api/projects/${idle}/messages`, { text: "write 2" });
    await expect.poll(() => ends(idle)).toEqual(["done", "done"]);
    await writersOf(project);
  });
});
