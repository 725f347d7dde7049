import { userInfo } from "node:os";
import { TreadleError } from "@treadle/client";
import { connectLocal } from "@treadle/client/local";
import type { Publication } from "@treadle/protocol";
import { EXIT } from "../terminal/exit-status.ts";
import { findProject } from "../folders/find-project.ts";
import { askReview } from "./ask-review.ts";
import { makeRelease } from "./make-release.ts";
import { reportVariables } from "./missing-variables.ts";
import { publishElsewhere, type ElsewhereCommand } from "./publish-elsewhere.ts";
import { tellPublication } from "./tell-publication.ts";

interface PublishCommand {
  project: string;
  name?: string | undefined;
  /** The new list of the app's own domains, if given. */
  domains?: string[] | undefined;
  /** The new port of the app's own, if given. */
  port?: number | "free" | "none" | undefined;
  /** The number of an earlier release. */
  back?: number | undefined;
  /** Releases despite any findings. */
  anyway: boolean;
  /** Asks a second person where one is needed, and waits for the answer. */
  review?: "ask" | "wait" | undefined;
  /** Saves variables of the project's `.env` files as secrets of the published app. */
  takeEnv: boolean;
  /** Another host to which the release is sent, if given. */
  elsewhere?: ElsewhereCommand | undefined;
  json: boolean;
  data?: string | undefined;
}

/**
 * `treadle publish PROJECT`: serves the verified app from this machine or deploys it elsewhere. The last line on stdout
 * is its address; findings are printed on stderr.
 */
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
    return tellPublication(data as Publication, undefined, command.json);
  }
  if (command.domains !== undefined) {
    const { data } = await treadle.api.PUT(`${path}/domains`, {
      params,
      body: { domains: command.domains },
    });
    return tellPublication(data as Publication, undefined, command.json);
  }
  if (command.port !== undefined) {
    const { data } = await treadle.api.PUT(`${path}/port`, {
      params,
      body: { port: command.port },
    });
    return tellPublication(data as Publication, undefined, command.json);
  }
  const isRestarting = await reportVariables(treadle, id, command.takeEnv);
  const asked = {
    isRestarting,
    name: command.name,
    anyway: command.anyway ? userInfo().username : undefined,
  };
  if (command.elsewhere)
    return publishElsewhere(treadle, id, { ...command.elsewhere, ...asked, json: command.json });
  if (command.review) {
    const how = { name: command.name, waits: command.review === "wait", json: command.json };
    const status = await askReview(treadle, id, how);
    if (status !== undefined) return status;
  }
  try {
    const { publication, number } = await makeRelease(treadle, id, asked);
    return tellPublication(publication, number, command.json);
  } catch (error) {
    if (!(error instanceof TreadleError) || error.code !== "needs-review") throw error;
    process.stderr.write(
      "A second person has to approve what is published from this project. Ask with --ask, or with --wait to wait for the answer as well.\n",
    );
    return EXIT.waiting;
  }
}
