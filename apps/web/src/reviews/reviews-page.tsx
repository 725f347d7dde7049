import type { Review } from "@treadle/protocol";
import { AccountFrame } from "../account/account-frame.tsx";
import { Section } from "../account/section.tsx";
import { useOpenReviews } from "../api/reviews.ts";
import { words } from "../words/words.ts";
import { ReviewCard } from "./review-card.tsx";

/** Requests that wait for the person's answer, and the person's own. */
export function ReviewsPage() {
  const reviews = useOpenReviews()?.reviews;
  return (
    <AccountFrame at="/reviews">
      {reviews?.length === 0 && <p className="text-quiet">{words.reviews.none}</p>}
      <Some title={words.reviews.waiting} reviews={reviews?.filter((one) => one.mayAnswer)} />
      <Some title={words.reviews.own} reviews={reviews?.filter((one) => one.isOwn)} />
    </AccountFrame>
  );
}

function Some({ title, reviews = [] }: { title: string; reviews?: Review[] | undefined }) {
  if (reviews.length === 0) return null;
  return (
    <Section title={title}>
      {reviews.map((review) => (
        <ReviewCard key={review.id} review={review} />
      ))}
    </Section>
  );
}
