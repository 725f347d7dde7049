import { actionOf, type Accounts, type Action } from "@treadle/accounts";
import { SAFE_METHODS } from "@treadle/common";
import type { Context } from "hono";
import { routePath } from "hono/route";

/** Records what changed something that others may have to answer for. */
export const auditing =
  ({ audit, people }: Accounts, onNotice: (text: string) => void) =>
  async (c: Context, action: Action): Promise<void> => {
    const principal = c.get("principal");
    if (principal === undefined || c.res.status >= 400 || SAFE_METHODS.has(c.req.method)) return;
    if (!actionOf(action).audited) return;
    const { person, via } = principal;
    const values = Object.fromEntries(
      Object.entries(c.req.param() as Record<string, string | undefined>).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    try {
      const name = (await people.get(person))?.name ?? person;
      await audit.append({
        person,
        name,
        via,
        action,
        what: `${c.req.method} ${routePath(c)}`,
        values,
      });
    } catch (error) {
      onNotice(`The audit log could not be written: ${(error as Error).message}`);
    }
  };
