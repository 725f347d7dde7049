import { signIn } from "@treadle/agent";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Instance, Instances } from "./instances.ts";
import type { SignIn } from "./sign-in.ts";

interface Given {
  code: string;
  state: string;
  issuer?: string | undefined;
}

/** Sign-ins at servers, from the button to the redirect back. */
export function createSigningIn(instances: Instances) {
  return {
    /** @returns the sign-in page; undefined if already signed in */
    async begin({ signIn: person, url, server }: Instance): Promise<string | undefined> {
      if (!person || url === undefined)
        throw new ApiFailure(400, "bad-input", sentence("server-without-sign-in"));
      if (!(await signed(person, url))) return person.address()?.href;
      await server.refresh();
      return undefined;
    },

    async end(given: Given): Promise<void> {
      for (const { signIn: person, url, server } of instances.all()) {
        if (!person || url === undefined || !(await person.isFor(given.state))) continue;
        await signed(person, url, given);
        await server.close();
        await server.refresh();
        return;
      }
      throw new ApiFailure(400, "bad-input", sentence("sign-in-unknown"));
    },
  };
}

async function signed(person: SignIn, url: string, given?: Given): Promise<boolean> {
  try {
    return await signIn(person.provider, url, given);
  } catch (error) {
    throw new ApiFailure(
      409,
      "sign-in",
      sentence("sign-in-failed", { why: (error as Error).message }),
    );
  }
}
