import type { DesignToken, ProjectDesign, TokenEdit, TokenGroup } from "@treadle/protocol";
import { words } from "../words/words.ts";
import { valueIn } from "./draft.ts";
import { TokenRow } from "./token-row.tsx";

const GROUPS: readonly TokenGroup[] = ["colour", "type", "spacing", "radius", "other"];

/**
 * The group of a token. Named colours such as `red` are recognised here, because the server does not know the names.
 */
const groupOf = (token: DesignToken): TokenGroup =>
  token.group === "other" && CSS.supports("color", valueIn(token, "base") ?? "")
    ? "colour"
    : token.group;

/** The tokens of a project in one mode, by group, such as colours and spacing. */
export function TokenGroups({
  design,
  draft,
  mode,
  onEdit,
}: {
  design: ProjectDesign;
  draft: readonly TokenEdit[];
  mode: string;
  onEdit: (edit: TokenEdit) => void;
}) {
  const own = design.tokens
    .filter(({ aliasOf }) => aliasOf === undefined)
    .map((token) => ({ ...token, group: groupOf(token) }));
  return GROUPS.map((group) => {
    const tokens = own.filter((token) => token.group === group);
    if (tokens.length === 0) return null;
    return (
      <section key={group} aria-label={words.design.groups[group]}>
        <h3 className="mb-1 font-semibold">{words.design.groups[group]}</h3>
        <ul className="space-y-1">
          {tokens.map((token) => (
            <TokenRow
              key={`${mode} ${token.name}`}
              design={design}
              token={token}
              mode={mode}
              isChanged={draft.some((one) => one.name === token.name && one.mode === mode)}
              onValue={(value) => onEdit({ name: token.name, mode, value })}
            />
          ))}
        </ul>
      </section>
    );
  });
}
