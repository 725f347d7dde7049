import { z } from "@hono/zod-openapi";
import { CodedText } from "../schemas.ts";

/** A login at a git server, as a person enters it. */
export const GitLogin = z.object({ user: z.string().min(1).max(300), password: z.string().min(1).max(4_000) }); // prettier-ignore

/** How many commit statuses were set, and why further ones could not be. */
export const Statuses = z
  .object({
    set: z.number(),
    failure: z
      .object({ code: z.string(), message: z.string(), messageCode: CodedText.optional() })
      .optional(),
  })
  .optional()
  .openapi({
    description: "Commit statuses with the verdicts; absent if the server takes none.",
  });
