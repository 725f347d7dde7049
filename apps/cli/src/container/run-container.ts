import { sentence } from "@treadle/protocol/sentences";
import { execFile, spawn } from "node:child_process";
import { lstatSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { CONTAINER_PORT } from "@treadle/server";
import { containerFilesOf } from "./dockerfile.ts";

const run = promisify(execFile);
/** Time limit for an app to answer. */
const ANSWER_MS = 60_000;
const ASK_AGAIN_MS = 200;
/** Maximum number of processes and threads. */
const PROCESSES = "2000";

export interface Container {
  /** The address of the app, on this machine only. */
  address: string;
  name: string;
}

/**
 * Writes a project's missing container files (existing ones are left unchanged), builds the image, starts it and waits
 * until it answers.
 * @param print receives lines for people, including Docker's output
 * @param look called once before the build if a file was written, because that changes the project's revision
 * @throws Error that names the failed step; written files stay
 */
export async function runContainer(
  directory: string,
  print: (line: string) => void,
  look: () => Promise<void> = async () => {},
): Promise<Container> {
  const files = containerFilesOf(directory);
  if (!files) throw new Error(sentence("no-container").text);
  let written = false;
  for (const [name, content] of Object.entries(files)) {
    const stats = lstatSync(join(directory, name), { throwIfNoEntry: false });
    // Docker would block on a pipe, and follow a link (A108).
    if (stats && !stats.isFile())
      throw new Error(`The project's ${name} is not a plain file. Nothing was built.`);
    if (stats && name === "Dockerfile")
      print("The project's own Dockerfile builds it. Docker does whatever that file says.");
    if (stats) continue;
    writeFileSync(join(directory, name), content, { flag: "wx" });
    written = true;
    print(`Wrote ${name}.`);
  }
  if (written) await look();
  const image = `treadle-${imageName(basename(directory))}`;
  print(`Building the image ${image}…`);
  await docker(["build", "--tag", image, directory], print);
  // A free port on the loopback interface. Other access is decided where it is deployed.
  const port = `127.0.0.1::${CONTAINER_PORT}`;
  const bounds = ["--security-opt", "no-new-privileges", "--pids-limit", PROCESSES];
  const words = ["run", "--detach", ...bounds, "--publish", port, image];
  const started = await run("docker", words);
  const name = started.stdout.trim().slice(0, 12);
  const published = await run("docker", ["port", name, `${CONTAINER_PORT}/tcp`]);
  const address = `http://${published.stdout.trim().split("\n")[0]}`;
  await answers(address, name);
  return { address, name };
}

/** A valid image name: lower case, digits, and single separators. */
const imageName = (folder: string) =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "app";

function docker(words: string[], print: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("docker", words, { stdio: ["ignore", "pipe", "pipe"] });
    const forward = (chunk: Buffer) => print(chunk.toString().trimEnd());
    child.stdout.on("data", forward);
    child.stderr.on("data", forward);
    child.once("error", ({ message }) =>
      reject(
        new Error(`Docker could not be started: ${message}. Install it, or leave out --docker.`),
      ),
    );
    child.once("close", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`docker ${words[0]} ended with ${code}; its own words are above.`)),
    );
  });
}

async function answers(address: string, name: string): Promise<void> {
  const until = performance.now() + ANSWER_MS;
  while (performance.now() < until) {
    // Any response counts. Redirects are not followed, since generated code would choose what this
    // machine requests (A108).
    const answered = await fetch(address, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    }).then(
      async ({ body }) => {
        await body?.cancel();
        return true;
      },
      () => false,
    );
    if (answered) return;
    await pause(ASK_AGAIN_MS);
  }
  const { stdout, stderr } = await run("docker", ["logs", "--tail", "20", name]);
  throw new Error(`The container ${name} does not answer at ${address}:\n${stdout}${stderr}`);
}
