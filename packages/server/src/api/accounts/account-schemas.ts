import { z } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";
import {
  PROJECT_ROLES,
  SCOPES,
  SERVER_ROLES,
  SIGN_INS,
  SUSPENSIONS,
} from "@treadle/protocol/accounts";

export const ServerRole = z.enum(SERVER_ROLES);
export const ProjectRole = z.enum(PROJECT_ROLES);
export const ScopeName = z.enum(SCOPES);

/** Texts that people type: names, addresses, passwords, secrets. */
export const Name = z.string().trim().min(1).max(100);
export const Email = z.email().max(254);
export const Password = z.string().max(1_000);
export const Secret = z.string().max(200);

export const Me = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    email: z.string().optional(),
    role: ServerRole,
    via: z.enum(SIGN_INS),
    scopes: z.array(ScopeName).optional(),
    actions: z.array(z.string()),
    accounts: z.boolean(),
  })
  .openapi("Me") satisfies z.ZodType<P.Me>;

export const Person = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().optional(),
    role: ServerRole,
    createdAt: z.number(),
    suspended: z.enum(SUSPENSIONS).optional(),
  })
  .openapi("Person") satisfies z.ZodType<P.Person>;

export const BrowserSession = z
  .object({
    id: z.string(),
    createdAt: z.number(),
    seenAt: z.number(),
    expiresAt: z.number(),
    agent: z.string(),
    current: z.boolean(),
  })
  .openapi("BrowserSession") satisfies z.ZodType<P.BrowserSession>;

export const SignInMethod = z
  .object({
    id: z.string(),
    kind: z.enum(["password", "totp", "recovery", "passkey"]),
    name: z.string(),
    createdAt: z.number(),
    usedAt: z.number().optional(),
    left: z.number().optional(),
  })
  .openapi("SignInMethod") satisfies z.ZodType<P.SignInMethod>;

export const SignInRules = z
  .object({ secondFactor: z.boolean() })
  .openapi("SignInRules") satisfies z.ZodType<P.SignInRules>;

export const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(ScopeName),
    createdAt: z.number(),
    expiresAt: z.number().optional(),
    usedAt: z.number().optional(),
  })
  .openapi("ApiToken") satisfies z.ZodType<P.ApiToken>;

export const DeviceRequest = z
  .object({
    name: Name,
    scopes: z.array(ScopeName).min(1),
    days: z.number().int().min(1).max(365),
  })
  .openapi("DeviceRequest") satisfies z.ZodType<P.DeviceRequest>;

export const DeviceAnswer = z
  .union([
    z.object({ state: z.enum(["pending", "denied", "expired"]) }),
    z.object({ state: z.literal("granted"), token: z.string(), expiresAt: z.number() }),
  ])
  .openapi("DeviceAnswer") satisfies z.ZodType<P.DeviceAnswer>;

const RoleIn = z.object({ id: z.string(), role: ProjectRole });

export const InvitationTerms = z.object({
  role: ServerRole,
  email: Email.optional(),
  project: RoleIn.optional(),
  team: RoleIn.optional(),
});

export const Invitation = InvitationTerms.extend({
  id: z.string(),
  email: z.string().optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
}).openapi("Invitation") satisfies z.ZodType<P.Invitation>;

export const ProjectMember = z
  .object({ kind: z.enum(["person", "team"]), id: z.string(), role: ProjectRole })
  .openapi("ProjectMember") satisfies z.ZodType<P.ProjectMember>;

export const ProjectAccess = z
  .object({ actions: z.array(z.string()) })
  .openapi("ProjectAccess") satisfies z.ZodType<P.ProjectAccess>;

export const Team = z
  .object({
    id: z.string(),
    name: z.string(),
    members: z.array(z.object({ person: z.string(), role: ProjectRole })),
  })
  .openapi("Team") satisfies z.ZodType<P.Team>;

const Outcome = z.object({
  code: z.enum([
    "role-from-groups",
    "own-role",
    "signed-up",
    "last-owner",
    "not-admitted",
    "email-taken",
    "refused",
    "unreachable",
  ]),
  role: ServerRole.optional(),
  teams: z.array(RoleIn),
  matched: z.array(z.string()),
  at: z.number(),
});

export const ExternalIdentity = z
  .object({
    id: z.string(),
    issuer: z.string(),
    subject: z.string(),
    person: z.string().optional(),
    report: z.object({
      at: z.number(),
      from: z.enum(["sign-in", "refresh"]),
      name: z.string().optional(),
      email: z.string().optional(),
      isEmailVerified: z.boolean(),
      claims: z.array(z.string()),
      groupsClaim: z.string(),
      groups: z.array(z.string()).optional(),
      outcome: Outcome,
    }),
  })
  .openapi("ExternalIdentity") satisfies z.ZodType<P.ExternalIdentity>;

export const GroupRule = z
  .object({
    group: z.string().min(1).max(200),
    role: ServerRole.optional(),
    team: RoleIn.optional(),
  })
  .openapi("GroupRule") satisfies z.ZodType<P.GroupRule>;

export const IdentityProvider = z
  .object({
    issuer: z.string(),
    name: z.string(),
    groupsClaim: z.string(),
    linksByEmail: z.boolean(),
    domains: z.array(z.string()),
    fixed: z.array(GroupRule),
    rules: z.array(GroupRule),
  })
  .openapi("IdentityProvider") satisfies z.ZodType<P.IdentityProvider>;

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.number(),
    person: z.string(),
    name: z.string(),
    via: z.enum(SIGN_INS),
    action: z.string(),
    what: z.string(),
    values: z.record(z.string(), z.string()),
  })
  .openapi("AuditEntry") satisfies z.ZodType<P.AuditEntry>;
