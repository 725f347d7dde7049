import { useState } from "react";
import { useView } from "../live/live-context.tsx";

/**
 * Whether a look found that the app has no page. A later revision is assumed to have none either, until a look at it
 * finds a page, working or not.
 */
export function useIsApi(): boolean {
  const page = useView((view) => view.evidence?.parts.page.state);
  const [isApi, setIsApi] = useState(false);
  const isNowApi = page === "inapplicable" || (isApi && page !== "held" && page !== "failed");
  if (isNowApi !== isApi) setIsApi(isNowApi);
  return isNowApi;
}
