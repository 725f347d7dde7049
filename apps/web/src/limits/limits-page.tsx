import { AccountFrame } from "../account/account-frame.tsx";
import { ModelKeysSection } from "../account/model-keys-section.tsx";
import { useTeams } from "../people/use-people.ts";
import { words } from "../words/words.ts";
import { PriceSection } from "./price-section.tsx";
import { QuotaSection } from "./quota-section.tsx";
import { UsageSection } from "./usage-section.tsx";
import { RuleSection } from "./rule-section.tsx";

/** The limits on what people may use of the server; for administrators. */
export function LimitsPage() {
  const teams = useTeams().data?.teams ?? [];
  return (
    <AccountFrame at="/limits">
      <QuotaSection />
      <UsageSection />
      <RuleSection teams={teams} />
      <PriceSection />
      {teams.map(({ id, name }) => (
        <ModelKeysSection
          key={id}
          team={id}
          title={words.limits.teamKeys({ name })}
          about={words.limits.teamKeysAbout}
        />
      ))}
    </AccountFrame>
  );
}
