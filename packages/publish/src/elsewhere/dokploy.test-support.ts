/**
 * A stand-in for Dokploy, after its API reference: an API key, projects with environments,
 * applications with all required settings, deployments with changing states, domains.
 */
import { randomUUID } from "node:crypto";
import { startStandIn, type Answer, type Asked, type StandIn } from "./stand-in.test-support.ts";

export interface DokployStandIn extends StandIn {
  applications: Map<string, Record<string, unknown>>;
  refusal: string | undefined;
}

const WANTED: Record<string, string[]> = {
  saveGitProvider: ["customGitUrl", "customGitBranch", "customGitBuildPath", "watchPaths", "enableSubmodules"], // prettier-ignore
  saveBuildType: ["buildType", "dockerfile", "dockerContextPath", "dockerBuildStage", "herokuVersion", "railpackVersion"], // prettier-ignore
  deploy: [],
};

export async function startDokploy(token: string): Promise<DokployStandIn> {
  const deployments = new Map<string, { application: string; looked: number }>();
  const domains = new Map<string, object>();

  function answer(asked: Asked): Answer {
    if (asked.headers["x-api-key"] !== token)
      return { status: 401, body: { message: "Unauthorized", code: "UNAUTHORIZED" } };
    const what = asked.path.replace("/api/", "");
    const source = asked.query.get("applicationId") ?? "";
    if (what === "project.all")
      return {
        status: 200,
        body: [{ name: "Mine", environments: [{ environmentId: "env-1", name: "production" }] }],
      };
    if (what === "domain.byApplicationId") return { status: 200, body: [domains.get(source)].filter(Boolean) }; // prettier-ignore
    if (what === "deployment.all") {
      const listed = [...deployments]
        .filter(([, { application }]) => application === source)
        .map(([deploymentId, one]) => ({
          deploymentId,
          status: one.looked++ < 2 ? "running" : standIn.refusal ? "error" : "done",
          errorMessage: standIn.refusal ?? null,
        }));
      return { status: 200, body: listed };
    }
    const body = asked.body();
    if (what === "application.create") {
      if (!body["environmentId"])
        return { status: 400, body: { message: "Input validation failed" } };
      const application = { ...body, applicationId: randomUUID(), appName: `${String(body["name"])}-x1` }; // prettier-ignore
      standIn.applications.set(application.applicationId, application);
      return { status: 200, body: application };
    }
    if (what === "domain.generateDomain") return { status: 200, body: `${String(body["appName"])}-x1.traefik.me` }; // prettier-ignore
    const application = standIn.applications.get(String(body["applicationId"]));
    if (!application) return { status: 404, body: { message: "Application not found" } };
    if (what === "domain.create") {
      domains.set(String(body["applicationId"]), body);
      return { status: 200, body };
    }
    const expected = WANTED[what.replace("application.", "")];
    if (!expected || expected.some((name) => body[name] === undefined))
      return { status: 400, body: { message: "Input validation failed" } };
    Object.assign(application, body);
    if (what === "application.deploy")
      deployments.set(randomUUID(), { application: String(body["applicationId"]), looked: 0 });
    return { status: 200, body: true };
  }

  const standIn: DokployStandIn = Object.assign(await startStandIn(answer), {
    applications: new Map<string, Record<string, unknown>>(),
    refusal: undefined,
  });
  return standIn;
}
