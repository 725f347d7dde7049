import { toProjectPath } from "@treadle/protocol/project-path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { describeCopies } from "../contract/copies.test-support.ts";
import { eventually } from "../contract/helpers.test-support.ts";
import { createApi } from "./api.ts";
import { createTestDriver, noCluster } from "./cluster.test-support.ts";
import { readCluster } from "./cluster.ts";
import type { Pod } from "./pod-progress.ts";

describe.skipIf(noCluster !== undefined)("pods and their cluster", () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-kubernetes-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string) => ({
    project: `${name}-${process.pid}`,
    directory: join(folder, name, "files"),
    stateDirectory: join(folder, name, "state"),
  });
  /** Pods that run something of this test, which is what mounts its folder. */
  const running = async () => {
    const api = createApi(readCluster(process.env));
    const namespace = process.env.TREADLE_KUBERNETES_NAMESPACE ?? "treadle";
    const { items } = await api.ask<{ items: (Pod & { spec: object })[] }>(
      "GET",
      `/api/v1/namespaces/${namespace}/pods`,
    );
    api.close();
    const part = folder.slice(tmpdir().length + 1);
    return items
      .filter(({ spec }) => JSON.stringify(spec).includes(part))
      .filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending");
  };

  const stopGuest =
    "for p in /proc/[0-9]*; do grep -qs '[o]ver-exec' $p/cmdline && kill -STOP ${p#/proc/}; done";
  it.each([
    ["killed", "sleep 1000; true"],
    ["killed-and-held", `setsid sleep 1000 & ${stopGuest}; kill -KILL 1; sleep 1000; true`],
  ])("F8 a %s server leaves no pod, and the next one begins clean", async (name, command) => {
    const script = join(folder, `${name}.mjs`);
    const support = fileURLToPath(new URL("./cluster.test-support.ts", import.meta.url));
    writeFileSync(
      script,
      `import { createTestDriver } from ${JSON.stringify(support)};
const driver = createTestDriver({ cacheDirectory: ${JSON.stringify(join(folder, "cache"))} });
const workspace = await driver.open(${JSON.stringify(place(name))});
await workspace.files.write("a", "kept");
workspace.run(${JSON.stringify(`echo started; ${command}`)}, { onOutput: () => process.stdout.write("ready\\n") });
`,
    );
    const child = spawn(process.execPath, ["--conditions=treadle-source", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect((await running()).length).toBe(1);
    child.kill("SIGKILL");
    await eventually(async () => (await running()).length === 0);
    const driver = createTestDriver({ cacheDirectory: join(folder, "cache") });
    const again = await driver.open(place(name));
    expect(Buffer.from((await again.files.read(toProjectPath("a"))).bytes).toString()).toBe("kept");
    await driver.close();
    expect(readFileSync(join(folder, name, "files/a"), "utf8")).toBe("kept");
  });

  it("says that an image cannot be pulled, and leaves no pod", async () => {
    const driver = createTestDriver({
      cacheDirectory: join(folder, "cache"),
      given: { TREADLE_KUBERNETES_IMAGE: "registry.invalid/nothing:1" },
    });
    await expect(driver.open(place("no-image"))).rejects.toMatchObject({
      code: "sandbox",
      sentence: {
        coded: { values: { why: expect.objectContaining({ code: "kubernetes-image" }) as object } },
      },
    });
    await driver.close();
    expect(await running()).toEqual([]);
  });

  it("says that no node takes a pod", async () => {
    const driver = createTestDriver({
      cacheDirectory: join(folder, "cache"),
      given: { TREADLE_KUBERNETES_NODE_SELECTOR: "nowhere=there" },
    });
    const opening = driver.open(place("no-node"));
    await expect(opening).rejects.toMatchObject({
      sentence: {
        coded: {
          values: { why: expect.objectContaining({ code: "kubernetes-unschedulable" }) as object },
        },
      },
    });
    await driver.close();
  });
});

describe.skipIf(noCluster !== undefined)("copies in pods", () => {
  describeCopies((cacheDirectory) => createTestDriver({ cacheDirectory }));
});
