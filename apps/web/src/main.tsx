import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiFailure } from "./api/request.ts";
import { router } from "./router.tsx";
import "./styles.css";
import { startBeat } from "./ui/beat.ts";
import { restoreTheme } from "./ui/theme.ts";

restoreTheme();
startBeat();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // Only silence is worth asking again; what the server said stays said.
      retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    },
  },
});

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
