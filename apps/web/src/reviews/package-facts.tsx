import type { ReviewedPackage } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { listed, words } from "../words/words.ts";
import { Fact } from "./review-facts.tsx";

/** What the registry says about a package that somebody wants to install. */
export function PackageFacts({ package: about }: { package: ReviewedPackage }) {
  const { version, license, brings, isCut, advisories } = about;
  return (
    <dl className="mt-2 grid gap-x-4 gap-y-1.5 text-small wide:grid-cols-[8rem_1fr]">
      {version !== undefined && (
        <Fact name={words.reviews.package.version}>
          <span className="numbers">{visible(version)}</span>
        </Fact>
      )}
      <Fact name={words.reviews.package.licence}>
        {license === undefined ? words.reviews.package.noLicence : visible(license)}
      </Fact>
      <Fact name={words.reviews.package.advisories}>
        {advisories === undefined
          ? words.reviews.package.unknownAdvisories
          : advisories.length === 0
            ? words.reviews.package.noAdvisories
            : advisories.map(({ name, title, severity }) => (
                <p key={`${name} ${title}`} className="break-words text-failed">
                  {visible(`${name}: ${title} (${severity})`)}
                </p>
              ))}
      </Fact>
      <Fact name={words.reviews.package.brings}>
        {brings.length === 0 ? (
          words.reviews.package.bringsNone
        ) : (
          <details>
            <summary>{words.reviews.package.bringsMany({ amount: brings.length })}</summary>
            <p className="break-words text-quiet">{listed(brings.map((name) => visible(name)))}</p>
          </details>
        )}
        {isCut && <p className="text-unsure">{words.reviews.package.bringsCut}</p>}
      </Fact>
    </dl>
  );
}
