import { type OpenAPIHono } from "@hono/zod-openapi";
import { OWN_SKILLS, projectSkills } from "@treadle/agent";
import type { SkillInfo } from "@treadle/protocol";

import { readPersonal } from "../../personal/read-personal.ts";
import { createRoute, answers, ProjectParams } from "../describe.ts";
import { SkillList } from "../schemas.ts";
import type { Services } from "../services.ts";

/**
 * Routes that list the skills that the model can read. Of several with the same name, the person's own comes first,
 * then Treadle's, then the project's; the others are ignored.
 */
export function skillRoutes(app: OpenAPIHono, { runtimes, dataDirectory }: Services): void {
  async function trusted(): Promise<SkillInfo[]> {
    const { skills } = await readPersonal(dataDirectory);
    return [
      ...skills.map(({ name, description }) => ({ name, description, from: "person" as const })),
      ...OWN_SKILLS.map(({ name, description }) => ({
        name,
        description,
        from: "treadle" as const,
      })),
    ];
  }
  const firstOfEach = (skills: readonly SkillInfo[]) => ({
    skills: skills.filter(
      ({ name }, index) => skills.findIndex((other) => other.name === name) === index,
    ),
  });

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/skills",
      action: "server.view",
      summary:
        "Lists the skills for all projects: the person's own, and those that come with Treadle.",
      responses: answers(SkillList, "Names, and when each is read."),
    }),
    async (c) => c.json(firstOfEach(await trusted()), 200),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/projects/{id}/skills",
      action: "project.view",
      summary: "Lists the skills, including those of the project that the person has accepted.",
      request: { params: ProjectParams },
      responses: answers(SkillList, "Names, and when each is read."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const runtime = await runtimes.get(id);
      const theirs = await projectSkills(await runtime.workspace(), runtime.isAccepted);
      return c.json(
        firstOfEach([
          ...(await trusted()),
          ...theirs.map(({ name, description }) => ({
            name,
            description,
            from: "project" as const,
          })),
        ]),
        200,
      );
    },
  );
}
