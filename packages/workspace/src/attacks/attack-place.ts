import { toProjectPath } from "@treadle/protocol/project-path";
import { once } from "node:events";
import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import type { Workspace, WorkspaceDriver } from "../types.ts";
import type { AttackPlace } from "./attempt.ts";

/** Set in this process's environment while an attack place is open. */
const SECRET = "sk-provider-key-of-the-server";
const OTHER_SECRET = "words of another project";
const WORKED_ON = "words that are not published";

/**
 * Sets up targets: a key in this process, a service on every IPv4 address of this machine and in the abstract
 * namespace, another project with a private file, and two published releases.
 * @param createDriver caches go below `folder`
 * @returns the targets, the workspace to attack from, and a function that closes everything
 */
export async function openAttackPlace(
  createDriver: (
    folder: string,
    env: NodeJS.ProcessEnv,
  ) => WorkspaceDriver | Promise<WorkspaceDriver>,
): Promise<{ place: AttackPlace; workspace: Workspace; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-attacks-"));
  // Readable by everyone: the sandbox has to protect the files, not the mode of this folder.
  chmodSync(folder, 0o755);
  process.env.TREADLE_TEST_KEY = SECRET;
  const env = { ...process.env, OPENAI_API_KEY: SECRET };
  const driver = await Promise.resolve(createDriver(join(folder, "cache"), env)).catch(
    (error: unknown) => {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    },
  );
  const service = createServer((_, response) => response.end("a service of the host"));
  service.listen(0, "0.0.0.0");
  await once(service, "listening");
  const servicePort = (service.address() as AddressInfo).port;
  const abstract = createServer((_, response) => response.end());
  abstract.listen(`\0treadle-attack-${servicePort}`);
  await once(abstract, "listening");
  const open = (name: string, at = name) =>
    driver.open({
      project: `${name}-${process.pid}`,
      directory: join(folder, at, "files"),
      stateDirectory: join(folder, at, "state"),
    });
  const close = async () => {
    delete process.env.TREADLE_TEST_KEY;
    service.close();
    abstract.close();
    await driver.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const other = await open("other");
    await other.files.write(toProjectPath("private.txt"), OTHER_SECRET);
    const workspace = await open("attacker");
    await workspace.files.write(toProjectPath("worked-on.txt"), WORKED_ON);
    const published = await publishTwo(folder, open);
    const place: AttackPlace = {
      secret: SECRET,
      pid: process.pid,
      home: homedir(),
      otherDirectory: join(folder, "other", "files"),
      otherSecret: OTHER_SECRET,
      listOther: async () => (await other.files.list()).files.map(({ path }) => path),
      stateDirectory: join(folder, "attacker", "state"),
      servicePort,
      addresses: Object.values(networkInterfaces())
        .flat()
        .flatMap((entry) => (entry ? [entry.address] : [])),
      published: { ...published, abstractSocket: `treadle-attack-${servicePort}` },
    };
    return { place, workspace, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Code of a server with a recognisable response. */
const NEIGHBOUR = `require("http").createServer((_, answer) => answer.end("neighbour-of-the-app")).listen(process.env.PORT ?? 3000);\n`;

/**
 * Opens two releases as the server does (below their projects, in separate sandboxes), and starts the app of the
 * second. Throws if that app does not start.
 */
async function publishTwo(
  folder: string,
  open: (name: string, at: string) => Promise<Workspace>,
): Promise<Omit<AttackPlace["published"], "abstractSocket">> {
  const project = join(folder, "attacker", "files");
  const neighbourAt = "other/releases/1";
  const from = await open("attacker-release-1", "attacker/releases/1");
  const neighbourWorkspace = await open("other-release-1", neighbourAt);
  await neighbourWorkspace.files.write(toProjectPath("server.cjs"), NEIGHBOUR);
  await neighbourWorkspace.files.write(toProjectPath("data/app.db"), OTHER_SECRET);
  const { ports, state } = await neighbourWorkspace.start("node server.cjs");
  if (state !== "up") throw new Error("The app beside the hostile one did not start.");
  return {
    from,
    neighbourWorkspace,
    project,
    workedOn: WORKED_ON,
    neighbour: join(folder, neighbourAt, "files"),
    neighbourPort: ports[0]!,
  };
}
