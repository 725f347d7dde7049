import type { Action } from "@treadle/accounts";
import { createRoute as createDescribed, z, type RouteConfig } from "@hono/zod-openapi";
import { requires } from "../access/requires.ts";
import { ApiError, Ok } from "./schemas.ts";

const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: { "application/json": { schema } },
  description,
});

/**
 * Describes a route, and authorises its callers for an action before its input is read.
 * @param route.action what its caller must be allowed to do; several: all of them
 * @param route.holder the path parameter that names the project; default `id`
 */
export function createRoute<
  P extends string,
  R extends Omit<RouteConfig, "path" | "middleware"> & {
    path: P;
    action: Action | readonly Action[];
    holder?: "id" | "comparison";
  },
>(route: R) {
  const { action, holder, ...described } = route;
  return createDescribed({ ...described, middleware: requires(action, holder) } as unknown as R);
}

/** The error responses of a route. */
export const mayFail = { "4XX": json(ApiError, "What was wrong, and what to do, in plain words.") };

/** A route's successful response, together with its error responses. */
export const answers = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  200: json(schema, description),
  ...mayFail,
});

export const created = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  201: json(schema, description),
  ...mayFail,
});

export const accepted = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  202: json(schema, description),
  ...mayFail,
});

/** Binary content, in a body or a response. */
export const bytes = z.string().openapi({ format: "binary" });

export const answersOk = answers(Ok, "Done.");

/** A required JSON body. */
export const body = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { "application/json": { schema } },
  required: true,
});

export const ProjectParams = z.object({ id: z.string().openapi({ description: "Project." }) });
export const TerminalParams = ProjectParams.extend({
  terminal: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
});
