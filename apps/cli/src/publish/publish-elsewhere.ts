import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout as after } from "node:timers/promises";
import type { Treadle } from "@treadle/client";
import type { Deployment, Elsewhere, ElsewhereTarget, Place, Publication, TargetId } from "@treadle/protocol"; // prettier-ignore
import { EXIT } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { makeRelease } from "./make-release.ts";
import { plain } from "../terminal/plain.ts";
import { tellPublication } from "./tell-publication.ts";

/** The options of `treadle publish` for another host. */
export interface ElsewhereCommand {
  to: TargetId | "list";
  /** The host's settings, by field. */
  place: Record<string, string>;
  /** File with the host's token; `-` is standard input. */
  tokenFile?: string | undefined;
  /** The number of an earlier release. */
  release?: number | undefined;
  local: boolean;
}

/** Interval at which the state is polled, in milliseconds. */
const POLL_MS = 300;

const path = "/api/projects/{id}/elsewhere" as const;

/** Deploys a verified release to another host: the current one, or a new one. The last line printed is its address. */
export async function publishElsewhere(
  treadle: Treadle,
  id: string,
  command: ElsewhereCommand & { name?: string | undefined; anyway?: string | undefined; json: boolean }, // prettier-ignore
): Promise<number> {
  const { to, json } = command;
  const params = { path: { id } };
  const state = async () => (await treadle.api.GET(path, { params })).data as Elsewhere;
  if (to === "list") return list(await state(), json);
  await saveTarget(treadle, id, to, command, await state());
  const made = command.release ?? (await releaseThatStands(treadle, id));
  let number = made;
  if (number === undefined) {
    const { publication, number: fresh } = await makeRelease(treadle, id, command);
    if (publication.current !== fresh) return tellPublication(publication, fresh, json);
    number = fresh;
  }
  const target = { path: { id, target: to } };
  await treadle.api.POST(`${path}/{target}`, { params: target, body: { release: number } });
  return toldOf(await sent(state, to), json);
}

/** Checks the settings that were given for the host and saves them with its token, before anything is built. */
async function saveTarget(
  treadle: Treadle,
  id: string,
  to: TargetId,
  { place, tokenFile, local }: ElsewhereCommand,
  { targets }: Elsewhere,
): Promise<void> {
  const target = targets.find((one) => one.id === to);
  if (!target) throw new Error(`This server cannot send to ${to}.`);
  const odd = Object.keys(place).find((field) => target.fields.every(({ name }) => name !== field));
  if (odd !== undefined)
    throw new Error(`${target.name} does not take “${odd}”, but ${fieldsOf(target) || "nothing"}.`);
  if (Object.keys(place).length === 0 && tokenFile === undefined && !local) return;
  const token = tokenFile === undefined ? undefined : (await tokenIn(tokenFile)).trim();
  const next: Place = { ...target.place, ...place, ...(local && { local }) };
  await treadle.api.PUT(`${path}/{target}`, {
    params: { path: { id, target: to } },
    body: { place: next, token },
  });
}

const tokenIn = (file: string) =>
  file === "-" ? text(process.stdin) : readFile(file, { encoding: "utf8" });

/** The live release, if it is of the current files. */
async function releaseThatStands(treadle: Treadle, id: string): Promise<number | undefined> {
  const params = { path: { id } };
  const { data: project } = await treadle.api.GET("/api/projects/{id}", { params });
  const { data } = await treadle.api
    .GET("/api/projects/{id}/publication", { params })
    .catch(() => ({ data: undefined }));
  const { releases = [], current } = (data ?? {}) as Partial<Publication>;
  const currentRelease = releases.find(({ number }) => number === current);
  return currentRelease && currentRelease.revision === project?.revision ? current : undefined;
}

/** Waits for the deployment, printing its progress. */
async function sent(state: () => Promise<Elsewhere>, to: TargetId): Promise<Deployment> {
  let lastMessage: string | undefined;
  for (;;) {
    const newest = (await state()).deployments.find(({ target }) => target === to)!;
    if (newest.state !== "sending") return newest;
    if (newest.said !== undefined && newest.said !== lastMessage)
      process.stderr.write(`${plain((lastMessage = newest.said))}…\n`);
    await after(POLL_MS);
  }
}

function toldOf(deployment: Deployment, json: boolean): number {
  const { state, release, said: message, address } = deployment;
  const isThere = state === "ready";
  if (json) process.stdout.write(jsonLine(deployment));
  else if (isThere)
    process.stdout.write(plain(`Release ${release} is there.\n${address === undefined ? "" : `${address}\n`}`)); // prettier-ignore
  else process.stderr.write(`${plain(message ?? "It was stopped.")}\n`);
  return isThere ? EXIT.verified : EXIT.failed;
}

const fieldsOf = ({ fields }: ElsewhereTarget) =>
  fields.map(({ name, required }) => (required ? name : `${name} (optional)`)).join(", ");

/** Lists the settings of each host, and the result of the last release sent there. */
function list(elsewhere: Elsewhere, json: boolean): number {
  if (json) {
    process.stdout.write(jsonLine(elsewhere));
    return EXIT.verified;
  }
  const tokens = { none: "no token", wanted: "needs a token", kept: "its token is kept" };
  for (const target of elsewhere.targets) {
    const last = elsewhere.deployments.find((one) => one.target === target.id);
    const lines = [
      `${target.id}: ${target.carries.map((kind) => `${kind}s`).join(" and ")}; ${tokens[target.token]}`,
      ...(target.fields.length > 0 ? [`  --set: ${fieldsOf(target)}`] : []),
      ...(last ? [`  release ${last.release}: ${last.address ?? last.said ?? last.state}`] : []),
    ];
    process.stdout.write(plain(`${lines.join("\n")}\n`));
  }
  return EXIT.verified;
}
