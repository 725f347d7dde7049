import { QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "./request.ts";

/** Caches the server's answers for a while. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // Retries only if the server did not answer; its error answers are final.
      retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    },
  },
});
