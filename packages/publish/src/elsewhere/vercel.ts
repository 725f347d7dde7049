/**
 * Vercel: `POST /v2/files` for each file, `POST /v13/deployments`, `GET /v13/deployments/{id}`, as
 * https://vercel.com/docs/rest-api/deployments/upload-deployment-files and
 * https://vercel.com/docs/rest-api/deployments/create-a-new-deployment describe it.
 */
import { sentence } from "@treadle/protocol/sentences";
import { askHost } from "./ask-host.ts";
import { bodyOf, failureOfHost, textOf } from "./failure-of-host.ts";
import { inParallel } from "./in-parallel.ts";
import { madeFile, readSite, type SiteFile, type SiteFiles } from "./site-files.ts";
import type { Target } from "./target.ts";
import { waitUntil } from "./wait-until.ts";

const NAME = "Vercel";
const API = "https://api.vercel.com";
/** Concurrent uploads. */
const AT_ONCE = 4;

export const vercel: Target = {
  id: "vercel",
  name: NAME,
  carries: ["site"],
  fields: [
    { name: "project", required: false },
    { name: "team", required: false },
  ],
  tokenFor: () => "vercel",
  async send(release, sending) {
    if (release.kind !== "site") throw new Error("Vercel takes only sites.");
    const { token, place, onSaid } = sending;
    const ask = askHost(NAME, API, { authorization: `Bearer ${token}` }, sending);
    const query = teamOf(place.team);
    onSaid(sentence("sending-reading"));
    const files = withRules(await readSite(release.folder));
    let sent = 0;
    await inParallel(files, AT_ONCE, async ({ sha1, read }) => {
      const answer = await ask({
        method: "POST",
        path: `/v2/files${query}`,
        headers: { "content-type": "application/octet-stream", "x-vercel-digest": sha1 },
        body: await read(),
        // Idempotent: the same bytes have the same digest.
        again: true,
      });
      if (answer.status >= 300) throw failureOfHost(NAME, answer);
      onSaid(sentence("sending-files", { sent: ++sent, total: files.length }));
    });
    onSaid(sentence("sending-finishing", { name: "Vercel" }));
    const project = place.project ?? release.name;
    const begun = bodyOf(
      NAME,
      await ask({
        method: "POST",
        path: `/v13/deployments${query}`,
        shows: true,
        body: {
          name: project,
          target: "production",
          files: files.map(({ path, sha1, size }) => ({ file: path, sha: sha1, size })),
          // Already built: nothing is detected, installed or built there.
          projectSettings: {
            framework: null,
            installCommand: "",
            buildCommand: "",
            outputDirectory: null,
          },
        },
      }),
    );
    const id = textOf(NAME, begun, "id");
    const at = `/v13/deployments/${encodeURIComponent(id)}${query}`;
    const address = await waitUntil(
      NAME,
      async () => {
        const deployment = bodyOf(NAME, await ask({ method: "GET", path: at }));
        const { readyState, errorMessage, alias } = deployment;
        if (readyState === "ERROR" || readyState === "CANCELED")
          throw failureOfHost(NAME, {
            status: 422,
            headers: {},
            body: { message: errorMessage ?? readyState },
          });
        if (readyState !== "READY") return undefined;
        // The permanent address; that of a single deployment may require a sign-in.
        const stays = Array.isArray(alias)
          ? alias.find((one) => typeof one === "string")
          : undefined;
        return `https://${String(stays ?? textOf(NAME, deployment, "url"))}`;
      },
      sending,
    );
    return { address, place: { ...place, project } };
  },
};

/** The query that names a team, by its id or by the name in its addresses; empty without a team. */
function teamOf(team: string | undefined): string {
  if (team === undefined || team === "") return "";
  return `?${team.startsWith("team_") ? "teamId" : "slug"}=${encodeURIComponent(team)}`;
}

/**
 * Adds rules by which addresses resolve as Treadle resolves them: pages without extension, and a
 * single-page site's fallback. A site with its own `vercel.json` is left as it is.
 */
function withRules({ files, isSingle, has }: SiteFiles): SiteFile[] {
  if (has("vercel.json")) return files;
  const rules = {
    cleanUrls: true,
    rewrites: isSingle ? [{ source: "/(.*)", destination: "/index.html" }] : undefined,
  };
  return [...files, madeFile("vercel.json", JSON.stringify(rules))];
}
