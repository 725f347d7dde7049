import type { AuditEntry, Person } from "@treadle/protocol";
import type { ReactNode } from "react";
import { ConfirmCode } from "../../src/account/authenticator-section.tsx";
import { DeviceQuestion } from "../../src/account/device-page.tsx";
import { IdentityFacts } from "../../src/account/identity-facts.tsx";
import { PasskeyList } from "../../src/account/passkeys-section.tsx";
import { RecoveryCodes } from "../../src/account/recovery-codes.tsx";
import { SessionList } from "../../src/account/sessions-section.tsx";
import { ShownOnce } from "../../src/account/shown-once.tsx";
import { TokenList } from "../../src/account/tokens-section.tsx";
import { EntryList } from "../../src/people/audit-page.tsx";
import { SpendingRows } from "../../src/spending/spending-page.tsx";
import { UsageRows } from "../../src/limits/usage-section.tsx";
import { TeamMembers } from "../../src/people/team-section.tsx";

const AT = Date.UTC(2026, 10, 26, 7);
const CHROME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

const people: Person[] = ["Ada Lovelace", "Grace Hopper", "Mary Jackson"].map((name, index) => ({
  id: String(index),
  name,
  role: "member",
  createdAt: AT,
}));

const entry = (id: string, action: string, what: string): AuditEntry => ({
  id,
  at: AT,
  person: "0",
  name: "Ada Lovelace",
  via: "session",
  action,
  what,
  values: id === "2" ? { id: "k3v9", kind: "person", member: "1" } : {},
});

/** Parts of the pages of a team. */
export const TEAM_PARTS: Record<string, () => ReactNode> = {
  sessions: () => (
    <SessionList
      sessions={[
        { id: "1", createdAt: AT, seenAt: AT, expiresAt: AT, agent: CHROME, current: true },
        { id: "2", createdAt: AT, seenAt: AT, expiresAt: AT, agent: "curl", current: false },
      ]}
    />
  ),
  "API tokens": () => (
    <TokenList
      onChanged={async () => {}}
      tokens={[
        { id: "1", name: "CI", scopes: ["read", "write"], createdAt: AT, expiresAt: AT },
        { id: "2", name: "Backup", scopes: ["read"], createdAt: AT, usedAt: AT },
      ]}
    />
  ),
  "a link shown once": () => (
    <ShownOnce label="Invitation" value="http://localhost:4173/enter?link=abcd" note="Once." />
  ),
  "an authenticator app": () => (
    <ConfirmCode
      secret="JBSWY3DPEHPK3PXP"
      address="otpauth://totp/Treadle:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Treadle"
      onDone={async () => {}}
      onCancel={() => {}}
    />
  ),
  "what people use": () => (
    <UsageRows
      quotas={{ awakePerPerson: 2, diskGibPerPerson: 5 }}
      usage={[
        { kind: "person", id: "0", name: "Ada", projects: 3, published: 1, awake: 2, disk: 1.3e9 },
      ]}
    />
  ),
  passkeys: () => (
    <PasskeyList
      passkeys={[
        { id: "0", kind: "passkey", name: "Chrome · Linux", createdAt: AT, usedAt: AT },
        { id: "1", kind: "passkey", name: "Phone", createdAt: AT },
      ]}
      onChanged={async () => {}}
    />
  ),
  "recovery codes": () => (
    <RecoveryCodes codes={Array.from({ length: 10 }, (_, code) => `abcd-efgh-jkmn-p${code}r2`)} />
  ),
  "a team": () => (
    <TeamMembers
      people={people}
      team={{ id: "t", name: "Kitchen", members: [{ person: "0", role: "editor" }] }}
    />
  ),
  "accounts at the identity provider": () => (
    <IdentityFacts
      identity={{
        id: "i",
        issuer: "https://id.example.com/",
        subject: "248289761001",
        person: "0",
        report: {
          at: AT,
          from: "sign-in",
          name: "Ada Lovelace",
          email: "ada@example.com",
          isEmailVerified: true,
          claims: ["aud", "email", "groups", "iss", "sub"],
          groupsClaim: "groups",
          groups: ["staff", "tea"],
          outcome: {
            code: "role-from-groups",
            role: "member",
            teams: [{ id: "Kitchen", role: "viewer" }],
            matched: ["staff"],
            at: AT,
          },
        },
      }}
    />
  ),
  "a program that asks to sign in": () => (
    <DeviceQuestion
      request={{ name: "laptop", scopes: ["read", "write"], days: 30 }}
      busy={false}
      onAnswer={() => {}}
    />
  ),
  "what was spent": () => (
    <SpendingRows
      rows={[
        {
          person: "0",
          personName: "Ada Lovelace",
          team: "t",
          teamName: "Kitchen",
          project: "p",
          projectName: "Todo app",
          model: "anthropic:claude-sonnet-4-5",
          calls: 31,
          inputTokens: 812_000,
          cachedInputTokens: 640_000,
          outputTokens: 41_000,
          costUsd: 1.42,
          unpriced: 0,
        },
        {
          person: "9",
          project: "gone",
          model: "ollama:qwen3",
          calls: 1,
          inputTokens: 9_000,
          cachedInputTokens: 0,
          outputTokens: 300,
          unpriced: 1,
        },
      ]}
    />
  ),
  "the audit log": () => (
    <EntryList
      entries={[
        entry("1", "sign-in", "password"),
        entry("2", "project.members", "PUT /api/projects/:id/members/:kind/:member"),
      ]}
    />
  ),
};
