import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, dirname } from "node:path";
import { loadScript } from "./script/load-script.ts";
import { createScriptedModel, type ScriptedModel } from "./server/scripted-model.ts";
import type { Pace } from "./server/pace.ts";
import { recordOf, textOf } from "./wires/read-json.ts";
import { fileURLToPath } from "node:url";

/** This package's folder: the parent of both `src` and `dist`. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** @returns the absolute path of a folder or file in the package */
function inPackage(...path: string[]): string {
  return join(ROOT, ...path);
}

/** A recorded build: `id` is also its model id. */
export interface Demo {
  id: string;
  title: string;
  /** The person's prompt. The recording answers only this one. */
  prompt: string;
  about: string;
  /** Absolute path of the folder that holds its script and files. */
  directory: string;
}

/** The recorded builds, in the order in which they are offered. */
export function listDemos(): Demo[] {
  const demos = readdirSync(inPackage("demos"))
    .map((id) => ({ id, directory: inPackage("demos", id) }))
    .filter(({ directory }) => existsSync(join(directory, "demo.json")))
    .map(({ id, directory }) => {
      const facts = recordOf(JSON.parse(readFileSync(join(directory, "demo.json"), "utf8")));
      const demo: Demo = {
        id,
        title: textOf(facts["title"]),
        prompt: textOf(facts["prompt"]),
        about: textOf(facts["about"]),
        directory,
      };
      return { demo, order: Number(facts["order"]) };
    });
  return demos.sort((a, b) => a.order - b.order).map(({ demo }) => demo);
}

/**
 * About as fast as a quick hosted model, so that a build can be watched and still takes seconds.
 */
const DEMO_PACE: Pace = { charactersPerSecond: 2_400, firstMs: 350 };

/** Serves every demo under its id as a model, in all three wire formats. Records no requests. */
export function startDemoModel(
  options: { pace?: Pace } = {},
): Promise<Pick<ScriptedModel, "url" | "close">> {
  const script = Object.fromEntries(
    listDemos().map((demo) => [demo.id, loadScript(demo.directory)]),
  );
  return createScriptedModel({ script, pace: options.pace ?? DEMO_PACE, record: 0 });
}

/** Small scripts for tests, each of a different kind. */
export type TestScript =
  | "api"
  | "big-file"
  | "blank"
  | "change"
  | "click"
  | "click-unchecked"
  | "dying-server"
  | "early-done"
  | "flaky-install"
  | "hopeless"
  | "react-doom"
  | "type-error"
  | "worse";

/** Absolute path of a small script, for `loadScript`. */
export function testScript(name: TestScript): string {
  return inPackage("scripts", `${name}.md`);
}
