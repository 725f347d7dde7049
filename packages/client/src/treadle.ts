import type { CreateProject, ProjectSummary } from "@treadle/protocol";
import createApi, { type Client } from "openapi-fetch";
import type { paths } from "./api.ts";
import { createProject, type Project, type Wire } from "./project.ts";
import { errorOf, TreadleError } from "./treadle-error.ts";

/**
 * A server's address and token. `@treadle/client/local` finds both for a server on this machine.
 */
export interface Connection {
  /** `http://localhost:4173`. */
  url: string;
  /** The value of `?token=` in the address that the server printed. */
  token: string;
  /** Replaces the platform's own. */
  fetch?: typeof fetch | undefined;
}

/** A server. */
export interface Treadle {
  /** Every route of the server, typed. An unsuccessful response throws a `TreadleError`. */
  readonly api: Client<paths>;
  projects(): Promise<ProjectSummary[]>;
  /** With a prompt, its first run starts immediately. */
  createProject(options?: CreateProject): Promise<Project>;
  /** An existing project; sends no request. */
  project(id: string): Project;
}

/** Sends no request yet: the first request shows whether the server is reachable. */
export function connect({ url, token, fetch: given = fetch }: Connection): Treadle {
  const base = url.replace(/\/+$/, "");
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (input: Request | string, init?: RequestInit): Promise<Response> => {
    let response;
    try {
      response = await given(input, init);
    } catch (error) {
      if ((error as Error).name === "AbortError") throw error;
      throw new TreadleError("unreachable", `No Treadle server answers at ${base}.`, 0);
    }
    if (response.ok) return response;
    throw errorOf(response.status, await response.json().catch(() => undefined));
  };
  const api = createApi<paths>({ baseUrl: base, headers, fetch: ask });
  const wire: Wire = {
    api,
    open: (path, init) =>
      ask(`${base}${path}`, { ...init, headers: { ...headers, ...init?.headers } }),
  };
  const project = (id: string) => createProject(wire, id);
  return {
    api,
    project,
    async projects() {
      const { data } = await api.GET("/api/projects");
      return data!.projects as ProjectSummary[];
    },
    async createProject(options = {}) {
      const { data } = await api.POST("/api/projects", { body: options });
      return project(data!.id);
    },
  };
}
