import { userInfo } from "node:os";
import { connectLocal } from "@treadle/client/local";
import type { Publication } from "@treadle/protocol";
import { findProject } from "../folders/find-project.ts";
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
  const { publication, number } = await makeRelease(treadle, id, asked);
  return tellPublication(publication, number, command.json);
}
