import type { ServerRole } from "../accounts/index.ts";

/** Which models somebody with a role, or in a team, may use. Without a rule all of them. */
export interface ModelRule {
  kind: "role" | "team";
  /** A `ServerRole`, or a team's id. */
  subject: ServerRole | (string & {});
  /** `provider:model`, or `provider:*` for all of a provider. Empty: the rule is removed. */
  models: string[];
}

/** US dollars per million tokens of a model whose price Treadle does not know. */
export interface ModelPrice {
  input: number;
  /** Absent: the price of other input. */
  cachedInput?: number | undefined;
  output: number;
}

/** A provider for which a person or a team can have a key of their own. The key itself is never sent. */
export interface KeyProvider {
  id: string;
  name: string;
  /** The provider's own page on which a person makes a key. */
  keyPage?: string;
  /** Whether the person or team has a key. */
  isSet: boolean;
}
