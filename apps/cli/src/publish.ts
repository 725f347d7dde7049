import { userInfo } from "node:os";
import { setTimeout as after } from "node:timers/promises";
import { connectLocal } from "@treadle/client/local";
import type { Treadle } from "@treadle/client";
import type { Gate, Publication } from "@treadle/protocol";
import { EXIT } from "./exit-status.ts";
import { findProject } from "./find-project.ts";
import { jsonLine } from "./json-line.ts";
import { plain } from "./plain.ts";

interface PublishCommand {
  project: string;
  name?: string | undefined;
  /** The domains of its own from now on, where they are said. */
  domains?: string[] | undefined;
  /** A release that was made before. */
  back?: number | undefined;
  /** Whatever is found in it. */
  anyway: boolean;
  json: boolean;
  data?: string | undefined;
}

/** How often it is asked whether the release is ready, in milliseconds. */
const POLL_MS = 300;

/** `treadle publish PROJECT`: what was verified, answered with on this machine; the last line is its address. What is found in it stands on stderr. */
export async function publish(command: PublishCommand): Promise<number> {
  const treadle = connectLocal(command.data);
  const { id } = findProject(await treadle.projects(), command.project);
  const params = { path: { id } };
  const path = "/api/projects/{id}/publication" as const;
  if (command.back !== undefined) {
    const { data } = await treadle.api.POST(`${path}/current`, {
      params,
      body: { release: command.back },
    });
    return told(data as Publication, undefined, command.json);
  }
  if (command.domains !== undefined) {
    const { data } = await treadle.api.PUT(`${path}/domains`, {
      params,
      body: { domains: command.domains },
    });
    return told(data as Publication, undefined, command.json);
  }
  const { data } = await treadle.api.POST(path, {
    params,
    body: { name: command.name, ...(command.anyway && { anyway: userInfo().username }) },
  });
  const { number } = (data as Publication).releases[0]!;
  return told(await ready(treadle, id, number), number, command.json);
}

/** Waits for a release and for what is seen of it, saying what goes on. */
async function ready(treadle: Treadle, id: string, number: number): Promise<Publication> {
  let said: string | undefined;
  for (;;) {
    const { data } = await treadle.api.GET("/api/projects/{id}/publication", {
      params: { path: { id } },
    });
    const publication = data as Publication;
    const release = publication.releases.find((one) => one.number === number);
    const looking = release?.gate?.looking === true;
    if (release?.state !== "building" && !looking) return publication;
    const says = looking ? "It is published, and looked at in a browser" : release?.said;
    if (says !== undefined && says !== said) process.stderr.write(`${plain((said = says))}…\n`);
    await after(POLL_MS);
  }
}

/** @param made the number of the release that was asked for, where one was */
function told(publication: Publication, made: number | undefined, json: boolean): number {
  const { releases, current, address, publicAddresses } = publication;
  const release = releases.find(({ number }) => number === made);
  const failed = release?.state === "failed";
  const held = release?.state === "held";
  if (json) process.stdout.write(jsonLine(publication));
  else {
    if (release?.gate) process.stderr.write(plain(gateLines(release.gate)));
    if (failed)
      process.stderr.write(`${plain([release.output, release.said].filter(Boolean).join("\n"))}\n`);
    else if (held)
      process.stderr.write(
        `Release ${made} is held, and nothing has changed for those who use the app. Have it repaired, or publish it all the same with --anyway.\n`,
      );
    else
      process.stdout.write(
        `Release ${current} is published.\n${[...publicAddresses, address].join("\n")}\n`,
      );
  }
  return failed || held ? EXIT.failed : EXIT.verified;
}

/** What was found, a line each with what to do below it, and what was not checked. */
function gateLines({ findings, unchecked }: Gate): string {
  const found = findings.map(
    ({ severity, title, where, todo }) =>
      `${severity === "serious" ? "!" : "-"} ${title} ${where}\n  ${todo}\n`,
  );
  return [...found, ...unchecked.map((text) => `? ${text}\n`)].join("");
}
