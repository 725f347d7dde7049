import { QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "./request.ts";

/** What the server answered, kept for a while. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // Only silence is worth asking again; what the server said stays said.
      retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    },
  },
});
