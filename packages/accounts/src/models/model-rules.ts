import type { ModelPrice, ModelRule } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { Members } from "../people/members.ts";
import type { People } from "../people/people.ts";
import type { Purpose } from "../spending/spending.ts";

const RULES = "model-rules";
const PRICES = "model-prices";

/** An owner of provider keys, other than the server. */
export interface KeyOwner {
  kind: "person" | "team";
  id: string;
}

type Keys = Record<string, { key: string }>;
const keysOf = ({ kind, id }: KeyOwner) => `secret:provider-keys:${kind}:${id}`;

/** Which models people may use, what models cost, and keys of people and teams. */
export interface ModelRules {
  rules(): Promise<ModelRule[]>;
  /** Sets a rule. One without models removes the rule of its subject. */
  setRule(rule: ModelRule): Promise<void>;
  /**
   * Which models a person may use: what the rule of their role allows and, if teams of theirs have rules, what one
   * of these allows as well. All models, if neither has a rule.
   */
  allowedFor(person: string): Promise<(model: string) => boolean>;
  prices(): Promise<Record<string, ModelPrice>>;
  /** Sets what a model costs. @param price undefined removes it */
  setPrice(model: string, price: ModelPrice | undefined): Promise<void>;
  /** The providers for which an owner has a key. Keys are never returned to people. */
  keyProviders(owner: KeyOwner): Promise<string[]>;
  /** Sets the key for a provider. @param key undefined removes it */
  setKey(owner: KeyOwner, provider: string, key: string | undefined): Promise<void>;
  /** The key of the person or, if they have none, of the team; undefined if the server's is to be used. */
  keyFor(purpose: Purpose, provider: string): Promise<{ key: string } | undefined>;
  /** Removes the keys of a person or team that was removed, and the team's rule. */
  forget(owner: KeyOwner): Promise<void>;
}

export function createModelRules(
  { settings }: Pick<Store, "settings">,
  { people, members }: { people: Pick<People, "get">; members: Pick<Members, "teams"> },
): ModelRules {
  const readRules = async () => (await settings.get<ModelRule[]>(RULES)) ?? [];
  const readKeys = async (owner: KeyOwner) => (await settings.get<Keys>(keysOf(owner))) ?? {};
  const setRule = (rule: ModelRule) =>
    settings.update<ModelRule[]>(RULES, (rules = []) => [
      ...rules.filter(({ kind, subject }) => kind !== rule.kind || subject !== rule.subject),
      ...(rule.models.length === 0 ? [] : [rule]),
    ]);
  return {
    rules: readRules,
    setRule,
    async allowedFor(person) {
      const rules = await readRules();
      if (rules.length === 0) return () => true;
      const role = (await people.get(person))?.role;
      const teams = (await members.teams())
        .filter((team) => team.members.some((member) => member.person === person))
        .map(({ id }) => id);
      const ofRole = rules.filter(({ kind, subject }) => kind === "role" && subject === role);
      const ofTeams = rules.filter(({ kind, subject }) => kind === "team" && teams.includes(subject)); // prettier-ignore
      return (model) =>
        [ofRole, ofTeams].every(
          (some) => some.length === 0 || some.some(({ models }) => models.some(matches(model))),
        );
    },
    prices: async () => (await settings.get<Record<string, ModelPrice>>(PRICES)) ?? {},
    setPrice: (model, price) =>
      settings.update<Record<string, ModelPrice>>(PRICES, (prices = {}) => {
        const { [model]: _, ...others } = prices;
        return price ? { ...others, [model]: price } : others;
      }),
    keyProviders: async (owner) => Object.keys(await readKeys(owner)),
    setKey: (owner, provider, key) =>
      settings.update<Keys>(keysOf(owner), (keys = {}) => {
        const { [provider]: _, ...others } = keys;
        const next = key === undefined ? others : { ...others, [provider]: { key } };
        return Object.keys(next).length === 0 ? undefined : next;
      }),
    async keyFor({ person, team }, provider) {
      const own = (await readKeys({ kind: "person", id: person }))[provider];
      if (own || team === undefined) return own;
      return (await readKeys({ kind: "team", id: team }))[provider];
    },
    async forget(owner) {
      await settings.remove(keysOf(owner));
      if (owner.kind === "team") await setRule({ kind: "team", subject: owner.id, models: [] });
    },
  };
}

/** Whether a pattern of a rule names the model. */
const matches = (model: string) => (pattern: string) =>
  pattern.endsWith(":*") ? model.startsWith(pattern.slice(0, -1)) : pattern === model;
