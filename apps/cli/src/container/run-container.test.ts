import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runContainer } from "./run-container.ts";

let folder: string;
let project: string;
let app: Server;
const asked: string[] = [];

/** A fake Docker that prints where the app is published, and records its arguments. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-container-"));
  project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"scripts":{"start":"node a.js"}}');
  asked.length = 0;
  app = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(302, { location: "/private" }).end();
  });
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const { port } = app.address() as AddressInfo;
  const docker = join(folder, "docker");
  writeFileSync(
    docker,
    `#!/bin/sh\necho "$@" >> '${folder}/words'\ncase "$1" in run) echo abcdefabcdef0123;; port) echo 127.0.0.1:${port};; esac\n`,
  );
  chmodSync(docker, 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  app.close();
  rmSync(folder, { recursive: true, force: true });
});

const words = () => execFileSync("cat", [join(folder, "words")], { encoding: "utf8" });

it("A108 does not follow an app's redirect when checking whether it answers", async () => {
  const { name } = await runContainer(project, () => undefined);
  expect(name).toBe("abcdefabcdef");
  expect(asked).toEqual(["/"]);
  expect(words()).toMatch(/^run .*no-new-privileges.*--pids-limit/m);
});

it.each([
  ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
  ["a link out", (path: string) => symlinkSync("/dev/zero", path)],
  ["a link that leads nowhere", (path: string) => symlinkSync("/tmp/nothing/here", path)],
  ["a folder", (path: string) => mkdirSync(path)],
])("A108 builds nothing with %s in place of a file", async (_, lay) => {
  lay(join(project, "Dockerfile"));
  await expect(runContainer(project, () => undefined)).rejects.toThrow(/Dockerfile .*plain file/);
  expect(() => words()).toThrow();
});

it("checks written files once before the build, and does not build if the check fails", async () => {
  const seen: string[] = [];
  const look = async () => {
    seen.push(execFileSync("ls", ["-A", project], { encoding: "utf8" }));
    expect(() => words()).toThrow();
    if (seen.length === 1) throw new Error("It failed.");
  };
  await expect(runContainer(project, () => undefined, look)).rejects.toThrow("It failed.");
  expect(seen[0]).toMatch(/^Dockerfile$/m);
  rmSync(join(project, "Dockerfile"));
  await runContainer(project, () => undefined, look);
  await runContainer(project, () => undefined, look);
  expect(seen).toHaveLength(2);
  expect(words()).toMatch(/^build /m);
});

it("reports that the project's own Dockerfile is used", async () => {
  const lines: string[] = [];
  await runContainer(project, (line) => lines.push(line));
  expect(lines.join()).not.toContain("own Dockerfile");
  writeFileSync(join(project, "Dockerfile"), "FROM scratch\n");
  await runContainer(project, (line) => lines.push(line));
  expect(lines.join("\n")).toContain("own Dockerfile");
});
