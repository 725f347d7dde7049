import type { LinkRole, ProjectRole } from "@treadle/protocol/accounts";
import { actionOf, type Action } from "./actions.ts";
import {
  authorize,
  ownsEverything,
  SERVER,
  type Decision,
  type Principal,
  type Resource,
} from "./authorize.ts";

/**
 * What a project action is done to: a project, or something that belongs to a person, such as a comparison without
 * a project.
 */
export type Holder = { project: string } | { person: string };

/** Looks up roles, and decides who may do what. */
export interface Authority {
  /** Whether the principal may do something. `holder` is needed for an action on a project. */
  decide(
    principal: Principal | undefined,
    action: Action,
    holder?: Holder,
  ): Decision | Promise<Decision>;
  /** The principal's role in a project, access links left out; undefined without one. */
  roleIn(
    principal: Principal,
    project: string,
  ): ProjectRole | undefined | Promise<ProjectRole | undefined>;
  /** The principal's roles in a project, for calls of `authorize` with several actions. */
  resourceOf(principal: Principal, project: string): Resource | Promise<Resource>;
  /**
   * Resolves with a function that tells whether the principal may see a project. Roles are read once for all
   * projects, as lists are long.
   */
  visibleTo(principal: Principal): Promise<(project: string) => boolean>;
}

/** The roles that people have been given in projects. */
export interface ProjectRoles {
  roleIn(person: string, project: string): Promise<ProjectRole | undefined>;
  /** The highest role that valid access links give the person. */
  linkRoleIn(person: string, project: string): Promise<LinkRole | undefined>;
  /** Ids of all projects in which the person has a role, by a link too. */
  projectsOf(person: string): Promise<ReadonlySet<string>>;
}

/** Creates the authority. @param roles undefined if there is only the person at this machine */
export function createAuthority(roles: ProjectRoles | undefined): Authority {
  const authority: Authority = {
    roleIn: ({ role, person }, project) =>
      ownsEverything(role) ? "owner" : roles?.roleIn(person, project),
    decide(principal, action, holder) {
      if (principal === undefined || actionOf(action).on !== "project")
        return authorize(principal, action, SERVER);
      if (holder === undefined) throw new Error(`${action} is done to a project.`);
      if ("person" in holder) {
        const isTheirs = ownsEverything(principal.role) || holder.person === principal.person;
        const role = isTheirs ? "owner" : undefined;
        return authorize(principal, action, { kind: "project", role });
      }
      const resource = authority.resourceOf(principal, holder.project);
      // Synchronous if possible, since every request passes here.
      return resource instanceof Promise
        ? resource.then((found) => authorize(principal, action, found))
        : authorize(principal, action, resource);
    },
    resourceOf(principal, project) {
      const { role, person } = principal;
      if (ownsEverything(role)) return { kind: "project", role: "owner" };
      if (!roles) return { kind: "project", role: undefined };
      return Promise.all([roles.roleIn(person, project), roles.linkRoleIn(person, project)]).then(
        ([own, linkRole]) => ({ kind: "project", role: own, linkRole }),
      );
    },
    async visibleTo({ role, person }) {
      if (ownsEverything(role)) return () => true;
      const projects = (await roles?.projectsOf(person)) ?? new Set();
      return (project) => projects.has(project);
    },
  };
  return authority;
}
