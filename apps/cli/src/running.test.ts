import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  startTestServer,
  type TestServer,
} from "../../../packages/server/src/server.test-support.ts";

let server: TestServer;
let project: string;
beforeAll(async () => {
  server = await startTestServer();
  await server.listen();
  server.turns.push(async ({ run }, _ports, { emit }) => {
    emit({ type: "text", run, id: "t", text: "Here is a \u001b[2Jclock." });
    return { verdict: "unverified", summary: "Nobody looked." };
  });
  project = await server.project("Clock for the wall");
});
afterAll(() => server.close());

/** Runs the command as a person types it, with the server's data folder in a Windows-style file. */
async function treadle(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const main = join(import.meta.dirname, "main.ts");
  const env = { ...process.env, CI: "true", TREADLE_DATA: `${server.directory}\r` };
  const args = ["--conditions=treadle-source", main, ...words];
  return promisify(execFile)(process.execPath, args, { env }).then(
    ({ stdout, stderr }) => ({ status: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ status: code as number, out: stdout, err: stderr }),
  );
}

describe("with a running server", () => {
  it("projects lists its projects, for people and for programs", async () => {
    const { out } = await treadle("projects");
    expect(out).toMatch(new RegExp(`^${project}  \\S.*Clock for the wall\\n$`));
    const { out: lines } = await treadle("projects", "--json");
    expect(JSON.parse(lines)).toMatchObject({ id: project, name: "Clock for the wall" });
  });

  it("logs prints the log without terminal control sequences", async () => {
    const { out } = await treadle("logs", "clock for");
    expect(out).toContain("> Clock for the wall");
    expect(out).toContain("Here is a ");
    expect(out).toContain("Nobody looked.");
    expect(out).not.toContain("\u001b");
    const { out: lines } = await treadle("logs", project, "--json");
    const numbers = lines
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { seq: number }).seq);
    expect(numbers.at(-1)).toBe(await server.store.log.head(project));
  });

  it("logs --app reports that a project is not published, and how to publish it", async () => {
    const { status, err } = await treadle("logs", project, "--app");
    expect([status, err]).toEqual([
      2,
      `“Clock for the wall” is not published, so it has no app that prints anything. Publish it: treadle publish ${project}\n`,
    ]);
  });

  it("publish names variables that are only in a .env file, and --take-env saves them as secrets", async () => {
    const value = "the-password-3381";
    server.workspace(project).put(".env", `ADMIN_PASSWORD=${value}\n`);
    const before = await treadle("publish", project);
    expect(before.err).toContain("ADMIN_PASSWORD");
    expect(before.err).toContain(`treadle publish ${project} --take-env`);
    const taken = await treadle("publish", project, "--take-env");
    expect(taken.err).toContain("ADMIN_PASSWORD");
    expect(taken.err).not.toContain("treadle publish");
    expect((await treadle("publish", project)).err).not.toContain("ADMIN_PASSWORD");
    expect(before.err + taken.err).not.toContain(value);
    expect(await server.store.secrets.list(project)).toMatchObject([
      { name: "ADMIN_PASSWORD", environment: "published" },
    ]);
    await server.workspace(project).files.remove(toProjectPath(".env"));
  });

  it("share prints a link and who can open it; it is listed, and can be revoked", async () => {
    const made = await treadle("share", project, "--conversation", "--expires", "12h");
    expect(made.out).toMatch(
      /^http:\/\/share-[a-z2-7]{16}\.localhost:\d+\/__treadle\/open\/[\w-]{26}\n$/,
    );
    expect(made.err).toContain("only in browsers on this machine");
    const link = made.out.trim();
    const { out: line } = await treadle("share", project, "--list", "--json");
    const listed = JSON.parse(line) as { at: number; until: number };
    expect(listed).toMatchObject({ kind: "conversation", link, uses: 0, locked: false });
    expect(listed.until - listed.at).toBe(12 * 60 * 60 * 1000);
    expect((await treadle("share", project, "--revoke", link)).status).toBe(0);
    expect((await treadle("share", project, "--list")).out).toBe("");
  });

  it("checks lists a project's checks, and with --run their results", async () => {
    const file = toProjectPath(".treadle/checks.md");
    server.workspace(project).put(file, '## Ticks\n- reload\n- expect "10:24"\n');
    expect((await treadle("checks", project)).out).toBe("  Ticks (2 steps)\n");
    const { out, status } = await treadle("checks", project, "--run");
    expect(out).toMatch(
      /^No check was run\. What was seen: (?:Verified|Failed|Not verified): \S.*\n$/,
    );
    expect(status).toBe(3);
  });

  it("logs reports that a project has no turns", async () => {
    const { id: empty } = await server.treadle.projects.create({ name: "Empty" });
    expect(await treadle("logs", empty)).toEqual({
      status: 0,
      out: "",
      err: expect.stringContaining("“Empty”") as string,
    });
    await server.treadle.projects.remove(empty);
  });

  it("open prints the address if there is no browser to open", async () => {
    const { out } = await treadle("open", project);
    expect(out).toMatch(
      new RegExp(`^http://localhost:\\d+/p/${project}\\?token=${server.treadle.token}\\n$`),
    );
  });

  it("lists existing projects, and reports that no server is running", async () => {
    expect(await treadle("logs", "nosuch")).toMatchObject({ status: 2, out: "" });
    const { err } = await treadle("logs", "nosuch");
    expect(err).toContain(`There is no project “nosuch”. There are ${project} (Clock`);
    const none = await treadle("projects", "--data", "/nowhere");
    expect(none).toMatchObject({ status: 2 });
    expect(none.err).toContain("treadle serve");
  });
});
