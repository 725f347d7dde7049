/**
 * A stand-in for Vercel's API, after https://vercel.com/docs/rest-api: a token, files with verified
 * digests, deployments of uploaded files, changing states, a permanent address.
 */
import { createHash } from "node:crypto";
import { startStandIn, type Answer, type Asked, type StandIn } from "./stand-in.test-support.ts";

export const VERCEL = "https://api.vercel.com";

interface Deployment {
  id: string;
  name: string;
  files: { file: string; sha: string; size: number }[];
  looked: number;
}

export interface VercelStandIn extends StandIn {
  files(address: string): Record<string, string>;
  refusal: string | undefined;
}

export async function startVercel(token: string): Promise<VercelStandIn> {
  const blobs = new Map<string, Buffer>();
  const deployments = new Map<string, Deployment>();
  const live = new Map<string, Deployment>();

  function describe(deployment: Deployment): Answer {
    const { id, name } = deployment;
    const state = ["QUEUED", "BUILDING"][deployment.looked++] ?? (standIn.refusal ? "ERROR" : "READY"); // prettier-ignore
    if (state === "READY") live.set(name, deployment);
    return {
      status: 200,
      body: {
        id,
        readyState: state,
        url: `${name}-${id}.vercel.app`,
        ...(state === "READY" && { alias: [`${name}.vercel.app`] }),
        ...(state === "ERROR" && { errorMessage: standIn.refusal }),
      },
    };
  }

  function answer(asked: Asked): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`)
      return {
        status: 403,
        body: { error: { code: "forbidden", message: "Not authorized", invalidToken: true } },
      };
    if (asked.line === "POST /v2/files") {
      const sha = createHash("sha1").update(asked.bytes).digest("hex");
      if (asked.headers["x-vercel-digest"] !== sha)
        return { status: 400, body: { error: { code: "bad_request", message: "File digest" } } };
      blobs.set(sha, asked.bytes);
      return { status: 200, body: { urls: [] } };
    }
    if (asked.line === "POST /v13/deployments") {
      const { name, files } = asked.body() as Pick<Deployment, "name" | "files">;
      const missing = files.filter(({ sha, size }) => blobs.get(sha)?.length !== size);
      if (missing.length > 0)
        return {
          status: 400,
          body: { error: { code: "missing_files", message: "Missing files" } },
        };
      const deployment = { id: `dpl${deployments.size}`, name, files, looked: 0 };
      deployments.set(deployment.id, deployment);
      return describe(deployment);
    }
    const deployment = deployments.get(/^\/v13\/deployments\/(\w+)$/.exec(asked.path)?.[1] ?? "");
    if (!deployment) return { status: 404, body: { error: { message: "Not found" } } };
    return describe(deployment);
  }

  const standIn: VercelStandIn = Object.assign(await startStandIn(answer), {
    refusal: undefined,
    files(address: string) {
      const deployment = live.get(/^https:\/\/(.*)\.vercel\.app$/.exec(address)?.[1] ?? "");
      return Object.fromEntries(
        (deployment?.files ?? []).map(({ file, sha }) => [file, blobs.get(sha)!.toString()]),
      );
    },
  });
  return standIn;
}
