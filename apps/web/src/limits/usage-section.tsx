import { useQuery } from "@tanstack/react-query";
import type { Quotas, QuotaUsage } from "@treadle/protocol";
import { Row, Rows, Section } from "../account/section.tsx";
import { QUOTA_USAGE_KEY, QUOTAS_KEY, readQuotas, readQuotaUsage } from "../api/quotas.ts";
import { formatBytes } from "../ui/format.ts";
import { words } from "../words/words.ts";

/** How much of the limits the projects of each person and team use. */
export function UsageSection() {
  const quotas = useQuery({
    queryKey: QUOTAS_KEY,
    queryFn: ({ signal }) => readQuotas(signal),
  });
  const { data, error } = useQuery({
    queryKey: QUOTA_USAGE_KEY,
    queryFn: ({ signal }) => readQuotaUsage(signal),
  });
  return (
    <Section title={words.limits.usage} about={words.limits.usageAbout} problem={error}>
      <UsageRows usage={data?.usage ?? []} quotas={quotas.data ?? {}} />
    </Section>
  );
}

export function UsageRows({ usage, quotas }: { usage: readonly QuotaUsage[]; quotas: Quotas }) {
  const limit = (value: number | undefined, unit = "") =>
    value === undefined ? "none" : `${value}${unit}`;
  return (
    <Rows name={words.limits.usage}>
      {usage.map(({ kind, id, name, projects, awake, published, disk }) => {
        const holder = kind === "team" ? "PerTeam" : "PerPerson";
        return (
          <Row
            key={`${kind} ${id}`}
            name={kind === "team" ? words.limits.teamUsage({ name }) : name}
            about={[
              words.limits.projectsOf({
                used: projects,
                limit: limit(quotas[`projects${holder}`]),
              }),
              words.limits.awakeOf({ used: awake, limit: limit(quotas[`awake${holder}`]) }),
              words.limits.publishedOf({
                used: published,
                limit: limit(quotas[`published${holder}`]),
              }),
              words.limits.ofDisk({ used: formatBytes(disk), limit: limit(quotas[`diskGib${holder}`], " GiB") }), // prettier-ignore
            ].join(" · ")}
          />
        );
      })}
    </Rows>
  );
}
