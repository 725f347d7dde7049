import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceDriver, WorkspaceNotice } from "../types.ts";
import { openAttackPlace } from "./attack-place.ts";
import { makeAttempt, type AttackPlace, type Attempt } from "./attempt.ts";
import { attempts } from "./attempts.ts";

/**
 * Makes every attempt for real, from inside a sandbox of this driver.
 * @param reasonToSkip why this driver's answer to an attempt says nothing; undefined if it does
 */
export function describeAttacks(
  createDriver: (folder: string, env: NodeJS.ProcessEnv) => WorkspaceDriver,
  reasonToSkip: (what: string) => string | undefined = () => undefined,
): void {
  describe("attempts of hostile code", () => {
    let opened: Awaited<ReturnType<typeof openAttackPlace>>;
    const notices: WorkspaceNotice[] = [];
    beforeAll(async () => {
      opened = await openAttackPlace(createDriver);
      opened.workspace.listen((notice) => notices.push(notice));
    }, 60_000);
    afterAll(() => opened.close());

    // The attempts are known before their place exists, so tests are named by position.
    const names = attempts(NOWHERE).map(({ id, area, what }) => `${id} ${area}: ${what}`.trim());
    it.for(names.map((name, index) => [name, index] as const))(
      "%s",
      { timeout: 90_000 },
      async ([, index], { skip }) => {
        const attempt = allOf(opened.place)[index]!;
        const reason = reasonToSkip(attempt.what);
        if (reason !== undefined) skip(reason);
        const { outcome, output } = await makeAttempt(attempt, opened.workspace);
        if (outcome === "untried") skip("a program that it takes is not there");
        expect(outcome, output).toBe("held");
      },
    );

    it("A31 connect: a service of the host on each of its own addresses", async () => {
      for (const attempt of attempts(opened.place).filter(({ what }) =>
        opened.place.addresses.some((address) => what.endsWith(` ${address}`)),
      )) {
        const { outcome, output } = await makeAttempt(attempt, opened.workspace);
        expect(outcome, `${attempt.what}: ${output}`).toBe("held");
      }
    });

    it("A29 a refused host is reported to the person", async () => {
      const hosts = ["evil.com", "registry.npmjs.org.evil.com", "169.254.169.254"];
      await opened.workspace.run(
        hosts.map((host) => `curl -sS -m 5 https://${host}/ --noproxy ''`).join("; "),
      );
      const refusedHosts = notices.flatMap((notice) =>
        notice.type === "egress-refused" ? [notice.host] : [],
      );
      for (const host of hosts) expect(refusedHosts).toContain(host);
    });
  });
}

const NOWHERE: AttackPlace = {
  secret: "",
  pid: 1,
  home: "",
  otherDirectory: "",
  otherSecret: "",
  listOther: async () => [],
  stateDirectory: "",
  servicePort: 0,
  addresses: [],
  published: { project: "", workedOn: "", neighbour: "", neighbourPort: 0, abstractSocket: "" },
};

/** The same list as from NOWHERE, without the addresses, which depend on the machine. */
const allOf = (place: AttackPlace): Attempt[] => attempts({ ...place, addresses: [] });
