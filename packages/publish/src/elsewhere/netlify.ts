/**
 * Netlify, by the digests of files: `POST /sites`, `POST /sites/{id}/deploys`, `PUT /deploys/{id}/files/{path}`, as
 * https://docs.netlify.com/api-and-cli-guides/api-guides/get-started-with-api/#file-digest-method and
 * https://open-api.netlify.com describe it.
 */
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { askHost, type AskHost } from "./ask-host.ts";
import { bodyOf, failureOfHost, textOf } from "./failure-of-host.ts";
import { inParallel } from "./in-parallel.ts";
import { madeFile, readSite, type SiteFile, type SiteFiles } from "./site-files.ts";
import type { Target } from "./target.ts";
import { waitUntil } from "./wait-until.ts";

const NAME = "Netlify";
const API = "https://api.netlify.com/api/v1";
/** Uploads at a time. */
const AT_ONCE = 4;
/** For taking back what was begun. */
const CANCEL_MS = 5_000;

type Body = Record<string, unknown>;

export const netlify: Target = {
  id: "netlify",
  name: NAME,
  carries: ["site"],
  fields: [{ name: "site", required: false }],
  tokenFor: () => "netlify",
  async send(release, sending) {
    if (release.kind !== "site") throw new Error("Netlify takes only sites.");
    const { token, place, onSaid } = sending;
    const ask = askHost(NAME, API, { authorization: `Bearer ${token}` }, sending);
    onSaid(sentence("sending-reading"));
    const files = withRules(await readSite(release.folder));
    const site = place.site ? await findSite(ask, place.site) : await makeSite(ask, release.name);
    sending.onPlace({ ...place, site: site.id });
    onSaid(sentence("sending-announcing", { name: "Netlify" }));
    const digests = Object.fromEntries(files.map(({ path, sha1 }) => [`/${path}`, sha1]));
    const begun = bodyOf(
      NAME,
      await ask({
        method: "POST",
        path: `/sites/${encodeURIComponent(site.id)}/deploys`,
        body: { files: digests, async: true, title: `Release ${release.number}` },
      }),
    );
    const id = textOf(NAME, begun, "id");
    // Once it has all of its files it is shown by itself.
    const deploy = async (shows = false) =>
      bodyOf(NAME, await ask({ method: "GET", path: `/deploys/${encodeURIComponent(id)}`, shows }));
    try {
      const requiredHashes = await waitUntil(NAME, async () => requiredOf(await deploy()), sending);
      const missing = [...new Map(files.map((file) => [file.sha1, file])).values()].filter(
        ({ sha1 }) => requiredHashes.has(sha1),
      );
      let sent = 0;
      await inParallel(missing, AT_ONCE, async ({ path, read }) => {
        const answer = await ask({
          method: "PUT",
          path: `/deploys/${encodeURIComponent(id)}/files/${path.split("/").map(encodeURIComponent).join("/")}`,
          headers: { "content-type": "application/octet-stream" },
          body: await read(),
        });
        if (answer.status >= 300) throw failureOfHost(NAME, answer);
        onSaid(sentence("sending-files", { sent: ++sent, total: missing.length }));
      });
      onSaid(sentence("sending-finishing", { name: "Netlify" }));
      const address = await waitUntil(NAME, async () => addressOf(await deploy(true)), sending);
      return { address, place: { ...place, site: site.id } };
    } catch (error) {
      // What was begun is not to wait for files for ever, also where the person stopped it.
      const last = { ...sending, signal: AbortSignal.timeout(CANCEL_MS), onSaid() {} };
      await askHost(
        NAME,
        API,
        { authorization: `Bearer ${token}` },
        last,
      )({
        method: "POST",
        path: `/deploys/${encodeURIComponent(id)}/cancel`,
      }).catch(() => undefined);
      throw error;
    }
  },
};

async function findSite(ask: AskHost, named: string): Promise<{ id: string }> {
  // A site is known by its id and by its domain.
  const key = /^[a-z0-9-]+$/i.test(named) && !/^[0-9a-f-]{36}$/i.test(named) ? `${named}.netlify.app` : named; // prettier-ignore
  const answer = await ask({ method: "GET", path: `/sites/${encodeURIComponent(key)}` });
  if (answer.status === 404)
    throw new ApiFailure(
      404,
      "host-unknown",
      sentence("site-unknown", { name: "Netlify", site: named }),
    );
  return { id: textOf(NAME, bodyOf(NAME, answer), "id") };
}

/** Under the name that it has here, or under one that Netlify thinks of where somebody else has that. */
async function makeSite(ask: AskHost, name: string): Promise<{ id: string }> {
  let answer = await ask({ method: "POST", path: "/sites", body: { name } });
  if (answer.status === 422) answer = await ask({ method: "POST", path: "/sites", body: {} });
  return { id: textOf(NAME, bodyOf(NAME, answer), "id") };
}

/** Digests that it wants; undefined while it still looks at them. */
function requiredOf(deploy: Body): Set<string> | undefined {
  failIfItDid(deploy);
  const { state, required } = deploy;
  if (["new", "pending_review", "preparing", "enqueued"].includes(String(state))) return undefined;
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

function addressOf(deploy: Body): string | undefined {
  failIfItDid(deploy);
  if (deploy["state"] !== "ready") return undefined;
  return textOf(NAME, deploy, deploy["ssl_url"] ? "ssl_url" : "url");
}

function failIfItDid({ state, error_message: why }: Body): void {
  if (state === "error" || state === "rejected")
    throw failureOfHost(NAME, { status: 422, headers: {}, body: { message: why } });
}

/** A site of one page answers with it everywhere, as it does here. */
function withRules({ files, isSingle, has }: SiteFiles): SiteFile[] {
  const hasOwn = has("_redirects") || has("netlify.toml");
  return isSingle && !hasOwn ? [...files, madeFile("_redirects", "/*  /index.html  200\n")] : files;
}
