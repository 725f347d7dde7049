/**
 * A stand-in for Netlify's API, after https://open-api.netlify.com and its guide to file digests: a
 * token, sites, deploys that request missing digests, uploads whose content must match, changing
 * states.
 */
import { createHash, randomUUID } from "node:crypto";
import { startStandIn, type Answer, type Asked, type StandIn } from "./stand-in.test-support.ts";

export const NETLIFY = "https://api.netlify.com/api/v1";

interface Deploy {
  id: string;
  site: string;
  files: Record<string, string>;
  state: string;
  /** How often its state was read; it takes several reads. */
  looked: number;
}

export interface NetlifyStandIn extends StandIn {
  /** The published files at an address, by path. */
  files(address: string): Record<string, string>;
  /** The error of the next deploys. */
  refusal: string | undefined;
  cancelled: string[];
}

export async function startNetlify(token: string): Promise<NetlifyStandIn> {
  const sites = new Map<string, { id: string; name: string; published?: Deploy }>();
  const deploys = new Map<string, Deploy>();
  const blobs = new Map<string, Buffer>();
  const requiredOf = ({ files }: Deploy) => [
    ...new Set(Object.values(files).filter((sha) => !blobs.has(sha))),
  ];
  const url = (name: string) => `https://${name}.netlify.app`;
  const toldSite = ({ id, name }: { id: string; name: string }) => ({
    id,
    name,
    ssl_url: url(name),
  });

  function toldDeploy(deploy: Deploy): Answer {
    const site = sites.get(deploy.site)!;
    const waits = deploy.looked++ < 1;
    if (deploy.state !== "error" && deploy.state !== "cancelled") {
      if (waits) deploy.state = "preparing";
      else if (requiredOf(deploy).length > 0) deploy.state = "prepared";
      else if (deploy.state === "processing") deploy.state = standIn.refusal ? "error" : "ready";
      else if (deploy.state !== "ready") deploy.state = "processing";
    }
    if (deploy.state === "ready") site.published = deploy;
    return {
      status: 200,
      body: {
        id: deploy.id,
        state: deploy.state,
        required: waits ? undefined : requiredOf(deploy),
        ssl_url: url(site.name),
        ...(deploy.state === "error" && { error_message: standIn.refusal }),
      },
    };
  }

  function answer(asked: Asked): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { code: 401, message: "Access Denied" } };
    const [, kind, id = "", what, ...path] = asked.path.split("/").map(decodeURIComponent);
    if (kind === "sites" && asked.method === "POST" && id === "") {
      const { name = `brave-${sites.size}-mill` } = asked.body() as { name?: string };
      if ([...sites.values()].some((site) => site.name === name))
        return { status: 422, body: { errors: { subdomain: ["must be unique"] } } };
      const site = { id: randomUUID(), name };
      sites.set(site.id, site);
      return { status: 201, body: toldSite(site) };
    }
    if (kind === "sites") {
      const site = sites.get(id) ?? [...sites.values()].find(({ name }) => id === `${name}.netlify.app`); // prettier-ignore
      if (!site) return { status: 404, body: { code: 404, message: "Not Found" } };
      if (what === undefined) return { status: 200, body: toldSite(site) };
      const { files } = asked.body() as { files: Record<string, string> };
      const deploy = { id: randomUUID(), site: site.id, files, state: "new", looked: 0 };
      deploys.set(deploy.id, deploy);
      return { status: 200, body: { id: deploy.id, state: "preparing" } };
    }
    const deploy = deploys.get(id);
    if (kind !== "deploys" || !deploy) return { status: 404, body: { message: "Not Found" } };
    if (what === "files") {
      const sha = deploy.files[`/${path.join("/")}`];
      if (sha !== createHash("sha1").update(asked.bytes).digest("hex"))
        return { status: 422, body: { message: "The file is another than its digest says." } };
      blobs.set(sha, asked.bytes);
      return { status: 200, body: { id: path.join("/"), sha } };
    }
    if (what === "cancel") {
      deploy.state = "cancelled";
      standIn.cancelled.push(deploy.id);
      return { status: 201, body: { id: deploy.id } };
    }
    return toldDeploy(deploy);
  }

  const standIn: NetlifyStandIn = Object.assign(await startStandIn(answer), {
    refusal: undefined,
    cancelled: [],
    files(address: string) {
      const site = [...sites.values()].find(({ name }) => url(name) === address);
      const files = site?.published?.files ?? {};
      return Object.fromEntries(
        Object.entries(files).map(([path, sha]) => [path.slice(1), blobs.get(sha)!.toString()]),
      );
    },
  });
  return standIn;
}
