import { useQuery } from "@tanstack/react-query";
import type { Quotas, QuotaUsage } from "@treadle/protocol";
import { Row, Rows, Section } from "../account/section.tsx";
import { QUOTA_USAGE_KEY, QUOTAS_KEY, readQuotas, readQuotaUsage } from "../api/quotas.ts";
import { formatBytes } from "../ui/format.ts";
import { words } from "../words/words.ts";

/** How much of the limits each person's projects use. */
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
      <UsageRows people={data?.people ?? []} quotas={quotas.data ?? {}} />
    </Section>
  );
}

export function UsageRows({ people, quotas }: { people: readonly QuotaUsage[]; quotas: Quotas }) {
  const limit = (value: number | undefined) => value?.toString() ?? "none";
  const disk = quotas.diskGibPerPerson;
  return (
    <Rows name={words.limits.usage}>
      {people.map((one) => (
        <Row
          key={one.person}
          name={one.name}
          about={[
            words.limits.projectsOf({ used: one.projects, limit: limit(quotas.projectsPerPerson) }),
            words.limits.awakeOf({ used: one.awake, limit: limit(quotas.awakePerPerson) }),
            words.limits.publishedOf({ used: one.published, limit: limit(quotas.publishedPerPerson) }), // prettier-ignore
            words.limits.ofDisk({ used: formatBytes(one.disk), limit: disk === undefined ? "none" : `${disk} GiB` }), // prettier-ignore
          ].join(" · ")}
        />
      ))}
    </Rows>
  );
}
