import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

it("doctor reports why apps have no PostgreSQL if the driver runs none, and the remedy", async () => {
  const data = mkdtempSync(join(tmpdir(), "treadle-doctor-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const main = join(import.meta.dirname, "..", "main.ts");
  const args = ["--conditions=treadle-source", main, "doctor", "--data", data];
  const env = { ...process.env, TREADLE_DRIVER: "docker", DOCKER_HOST: `unix://${data}/none.sock` };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const at = stdout.indexOf("databases of apps");
  expect(at).toBeGreaterThan(-1);
  expect(stdout.slice(at)).toContain("TREADLE_APPS_DATABASE_URL");
});

it("doctor reports each setting that prevents a start, with the reason", async () => {
  const data = mkdtempSync(join(tmpdir(), "treadle-doctor-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const wrong = {
    TREADLE_PORT: "70000",
    TREADLE_IDLE_MINUTES: "soon",
    TREADLE_HISTORY_MB: "much",
    TREADLE_APPS_DOMAIN: "*.example.com",
    TREADLE_APPS_PORTS: "80",
    TREADLE_APPS_DATABASE_URL: "mysql://localhost",
  };
  const main = join(import.meta.dirname, "..", "main.ts");
  const args = ["--conditions=treadle-source", main, "doctor", "--data", data];
  const env = { ...process.env, ...wrong };
  const ended = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: unknown) => error as { code: number; stdout: string },
  );
  expect(ended).toMatchObject({ code: 1 });
  const lines = ended.stdout.split("\n").filter((line) => line.startsWith("missing"));
  for (const name of Object.keys(wrong))
    expect(
      lines.filter((line) => line.includes(`${name} is`)),
      name,
    ).toHaveLength(1);
  expect(ended.stdout).toContain("Treadle cannot run code here yet.");
});
