import { useState } from "react";
import { useView } from "../live/live-context.tsx";

/** Whether the project was seen to have no page. A later revision has none either, until somebody has looked at it. */
export function useIsApi(): boolean {
  const page = useView((view) => view.evidence?.parts.page.state);
  const [isApi, setIsApi] = useState(false);
  const isNowApi = page === "inapplicable" || (isApi && page !== "held" && page !== "failed");
  if (isNowApi !== isApi) setIsApi(isNowApi);
  return isNowApi;
}
