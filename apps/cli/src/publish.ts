import { setTimeout as after } from "node:timers/promises";
import { connectLocal } from "@treadle/client/local";
import type { Treadle } from "@treadle/client";
import type { Publication } from "@treadle/protocol";
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
  json: boolean;
  data?: string | undefined;
}

/** How often it is asked whether the release is ready, in milliseconds. */
const POLL_MS = 300;

/** `treadle publish PROJECT`: what was verified, answered with on this machine; the last line is its address. */
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
    return told(data as Publication, command.json);
  }
  if (command.domains !== undefined) {
    const { data } = await treadle.api.PUT(`${path}/domains`, {
      params,
      body: { domains: command.domains },
    });
    return told(data as Publication, command.json);
  }
  const { data } = await treadle.api.POST(path, { params, body: { name: command.name } });
  const { number } = (data as Publication).releases[0]!;
  return told(await ready(treadle, id, number), command.json);
}

/** Waits for a release, saying what goes on. */
async function ready(treadle: Treadle, id: string, number: number): Promise<Publication> {
  let said: string | undefined;
  for (;;) {
    const { data } = await treadle.api.GET("/api/projects/{id}/publication", {
      params: { path: { id } },
    });
    const publication = data as Publication;
    const release = publication.releases.find((one) => one.number === number);
    if (release?.state !== "building") return publication;
    if (release.said !== undefined && release.said !== said)
      process.stderr.write(`${plain((said = release.said))}…\n`);
    await after(POLL_MS);
  }
}

function told(publication: Publication, json: boolean): number {
  const { releases, current, address, publicAddresses } = publication;
  const [newest] = releases;
  const failed = newest?.state === "failed" && newest.number !== current;
  if (json) process.stdout.write(jsonLine(publication));
  else if (failed)
    process.stderr.write(`${plain([newest.output, newest.said].filter(Boolean).join("\n"))}\n`);
  else
    process.stdout.write(
      `Release ${current} is published.\n${[...publicAddresses, address].join("\n")}\n`,
    );
  return failed ? EXIT.failed : EXIT.verified;
}
