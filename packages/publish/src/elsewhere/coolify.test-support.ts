/**
 * A stand-in for Coolify, after its OpenAPI description (v4): a token, projects, servers,
 * applications from a branch, deployments with changing states. It "builds" by checking that the
 * branch has a Dockerfile at that commit.
 */
import { randomUUID } from "node:crypto";
import { startStandIn, type Answer, type Asked, type StandIn } from "./stand-in.test-support.ts";

export interface CoolifyStandIn extends StandIn {
  applications: Map<string, Record<string, unknown>>;
  projects: { uuid: string; name: string }[];
  refusal: string | undefined;
}

export async function startCoolify(token: string): Promise<CoolifyStandIn> {
  const deployments = new Map<string, { looked: number }>();
  const REQUIRED = ["project_uuid", "server_uuid", "environment_name", "git_repository", "git_branch", "build_pack"]; // prettier-ignore

  function answer(asked: Asked): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: "Unauthenticated." } };
    const path = asked.path.replace("/api/v1", "");
    if (path === "/projects") return { status: 200, body: standIn.projects };
    if (path === "/servers") return { status: 200, body: [{ uuid: "srv-1", name: "localhost" }] };
    if (path === "/applications/public" || path === "/applications/private-deploy-key") {
      const expected = asked.body();
      const missing = REQUIRED.find((name) => expected[name] === undefined);
      if (missing || (path.endsWith("key") && expected["private_key_uuid"] === undefined))
        return { status: 422, body: { message: "Validation failed.", errors: { [missing!]: ["required"] } } }; // prettier-ignore
      const uuid = randomUUID();
      const fqdn = expected["domains"] ?? `http://${uuid.slice(0, 8)}.apps.example.com`;
      standIn.applications.set(uuid, { ...expected, fqdn });
      return { status: 201, body: { uuid } };
    }
    if (path === "/deploy") {
      const uuid = asked.query.get("uuid")!;
      if (!standIn.applications.has(uuid))
        return { status: 404, body: { message: "No resources" } };
      const id = randomUUID();
      deployments.set(id, { looked: 0 });
      return { status: 200, body: { deployments: [{ resource_uuid: uuid, deployment_uuid: id }] } };
    }
    const [, kind, id = ""] = path.split("/");
    const deployment = deployments.get(id);
    if (kind === "deployments" && deployment) {
      const status = ["queued", "in_progress"][deployment.looked++] ?? (standIn.refusal ? "failed" : "finished"); // prettier-ignore
      return { status: 200, body: { deployment_uuid: id, status } };
    }
    const application = standIn.applications.get(id);
    if (kind !== "applications" || !application) return { status: 404, body: { message: "Not found." } }; // prettier-ignore
    if (asked.method === "PATCH") Object.assign(application, asked.body());
    return { status: 200, body: { uuid: id, ...application } };
  }

  const standIn: CoolifyStandIn = Object.assign(await startStandIn(answer), {
    applications: new Map<string, Record<string, unknown>>(),
    projects: [{ uuid: "prj-1", name: "My first project" }],
    refusal: undefined,
  });
  return standIn;
}
