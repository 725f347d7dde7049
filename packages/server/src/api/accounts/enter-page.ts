import type { OpenAPIHono } from "@hono/zod-openapi";
import { ApiFailure } from "@treadle/common";
import { askerOf } from "../../access/asker.ts";
import { enterPage } from "../../access/enter-page.ts";
import { ownPath } from "../../access/own-path.ts";
import { requires } from "../../access/requires.ts";
import type { Services } from "../services.ts";
import { auditFailedSignIn } from "./auditing.ts";
import { accountsOf } from "./me.ts";
import { enterWithPasskey } from "./passkeys.ts";
import { signInBrowser, useLink } from "./sign-in.ts";

/**
 * The page behind a single-use link, which also signs people in by password or passkey. Opening the page does not
 * use the link up, since programs that preview links open it as well; its button does.
 */
export function enterRoutes(app: OpenAPIHono, services: Services): void {
  app.all("/enter", requires("account.sign-in"), async (c) => {
    const accounts = accountsOf(services);
    const provider = accounts.oidc?.name;
    const accepted = c.req.header("accept-language");
    if (c.req.method === "GET") {
      const link = c.req.query("link") ?? "";
      const terms = await accounts.links.peek(link);
      const to = ownPath(c.req.query("to"));
      return enterPage(terms ? 200 : 404, { link, terms }, { accepted, provider, to });
    }
    const form = await c.req.parseBody();
    const text = (name: string) => {
      const value = form[name];
      return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
    };
    const link = text("link") ?? "";
    const to = ownPath(text("to"));
    try {
      const passkey = text("passkey");
      if (passkey !== undefined) {
        await enterWithPasskey(c, services, passkey);
        return c.redirect(to, 303);
      }
      const [email, password] = [text("email"), text("password")];
      if (link === "") {
        await auditFailedSignIn(accounts, { how: "password", email }, async () => {
          const asker = askerOf(c, services);
          const { signIn } = accounts.credentials;
          const person = await signIn(email ?? "", password ?? "", text("code"), asker);
          await signInBrowser(c, services, person, "password");
        });
        return c.redirect(to, 303);
      }
      const account = { name: text("name"), email, password };
      await auditFailedSignIn(accounts, { how: "link", email }, async () =>
        signInBrowser(c, services, await useLink(accounts, link, account), "link"),
      );
      return c.redirect(to, 303);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const terms = await accounts.links.peek(link);
      return enterPage(error.status, { link, terms, problem: error }, { accepted, provider, to });
    }
  });
}
